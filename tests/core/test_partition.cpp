// Both partitioners on small joint graphs, text in and text out.

#include "partition/partition_joint.h"
#include "record/partition_figures.h"
#include "support/enumerators.h"
#include "support/test_program.h"
#include "support/text.h"
#include "support/text_cases.h"

#include <set>

namespace aotscope::test::partition_test {
namespace {

/// Options named in a line "# options: static-parameters must-save=sin".
MinCutOptions optionsIn(const QByteArray& text, const Graph& joint) {
    MinCutOptions options;
    static const QRegularExpression line(u"# options: (.*)"_s);
    const auto words = line.match(QString::fromUtf8(text)).captured(1).split(u' ', Qt::SkipEmptyParts);
    for (const QString& word : words) {
        const QString key = word.section(u'=', 0, 0), value = word.section(u'=', 1);
        const Node* node = value.isEmpty() ? nullptr : joint.findByName(value.toStdString());
        if (key == "static-parameters"_L1) options.staticParameters = true;
        else if (key == "deny-list"_L1) options.banNotInAllowList = false;
        else if (key == "allow-materialized"_L1) options.banMaterializedBackward = false;
        else if (key == "recompute-views"_L1) options.recomputeViews = true;
        else if (key == "must-save"_L1 && node) options.mustSave.insert(node->id());
        else if (key == "must-recompute"_L1 && node) options.mustRecompute.insert(node->id());
        else if (key == "dont-ban"_L1 && node) options.dontBan.insert(node->id());
        else qFatal("unknown option '%s'", qPrintable(word));
    }
    return options;
}

std::string describeDecision(const ValueDecision& decision, const Node& node) {
    constexpr const char* placements[] = {"forward only", "saved", "recomputed", "backward only"};
    std::string text = "%" + node.name() + ": " + placements[static_cast<int>(decision.placement)];
    if (decision.placement == ValueDecision::Placement::backwardOnly) return text;
    if (decision.capacity < 0) return text;  // not considered by the default partitioner
    text += decision.capacity >= CutNetwork::kInfinite ? ", cannot be saved"
                                                       : ", costs " + std::to_string(decision.capacity);
    if (!decision.materialized) text += " (fused)";
    for (const BanReason reason : decision.bans) text += ", banned: " + std::string(describe(reason));
    for (const BanReason reason : decision.overruled) text += ", overruled: " + std::string(describe(reason));
    if (decision.exemption != Exemption::none) text += ", exempt: " + std::string(describe(decision.exemption));
    return text;
}

std::string describePartition(const Partition& partition, const Graph& joint) {
    std::string text;
    for (const auto& value : partition.saved)
        text += "saved " + value.name + " (" + std::string(name(value.kind)) + ", " + value.op + "): " + value.reason +
                "\n";
    for (const auto& value : partition.recomputed)
        text += "recomputed " + value.name + " (" + value.op + ", " + std::to_string(value.bytes) + " bytes)\n";
    for (const auto& decision : partition.decisions)
        text += describeDecision(decision, *joint.findById(decision.node)) + "\n";
    return text + printGraph(*partition.forward) + printGraph(*partition.backward);
}

template <typename Partitioner>
QByteArray partitionText(const QByteArray& input, Partitioner&& run) {
    const auto joint = parseSound(input.toStdString());
    const std::string before = printGraph(*joint, Detail::full);
    try {
        const Partition partition = run(*joint);
        requireSound(*partition.forward, "partition");
        requireSound(*partition.backward, "partition");
        if (printGraph(*joint, Detail::full) != before) return "the joint graph was changed";
        return QByteArray::fromStdString(describePartition(partition, *joint));
    } catch (const Error& e) {
        return QByteArray("error: ") + e.what() + "\n";
    }
}

QStringList namesOf(const std::vector<SavedValue>& saved) {
    QStringList names;
    for (const auto& value : saved) names << q(value.name);
    return names;
}

}  // namespace

class TestPartition : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void byDefault_data() { QVERIFY(addTextCases(u"partition/default"_s) > 0); }
    void byDefault() {
        QFETCH(QString, file);
        const QString difference = checkTextCase(file, [](const QByteArray& input) {
            return partitionText(input, [](const Graph& joint) { return partitionByDefault(joint); });
        });
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }

    void byMinCut_data() { QVERIFY(addTextCases(u"partition/min_cut"_s) > 0); }
    void byMinCut() {
        QFETCH(QString, file);
        const QString difference = checkTextCase(file, [](const QByteArray& input) {
            return partitionText(input,
                                 [&](const Graph& joint) { return partitionByMinCut(joint, optionsIn(input, joint)); });
        });
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }

    /// Values that autograd saves, as PyTorch saves that of 1/(1 + exp(-x)): saving it is cheaper than what a fused
    /// kernel would have to write.
    void keptResultsAreInMemory() {
        const auto joint = parseSound(
            "graph joint\n"
            "  %x : f32[8] = placeholder(input)\n"
            "  %t : f32[8] = placeholder(tangent)\n"
            "  %exp : f32[8] = aten.exp.default(%x) ; seq=1 kept=detached\n"
            "  %add : f32[8] = aten.add.Tensor(%exp, 1) ; seq=2\n"
            "  %reciprocal : f32[8] = aten.reciprocal.default(%add) ; seq=3 kept=detached\n"
            "  %out : f32[8] = aten.mul.Tensor(%reciprocal, 1) ; seq=4\n"
            "  %square : f32[8] = aten.mul.Tensor(%reciprocal, %reciprocal) ; stage=backward seq=3\n"
            "  %mul : f32[8] = aten.mul.Tensor(%t, %square) ; stage=backward seq=3\n"
            "  %dx : f32[8] = aten.mul.Tensor(%mul, %exp) ; stage=backward seq=1\n"
            "  return [%out : output, %dx : gradient \"x\"]\n");
        QCOMPARE(namesOf(partitionByMinCut(*joint, {}).saved), QStringList({u"exp"_s, u"reciprocal"_s}));
    }

    void longFusibleChainsAreCut_data() {
        columns<int, bool, QStringList>("length", "rule", "saved");
        QTest::newRow("short") << 101 << true << QStringList{u"x"_s};
        QTest::newRow("long") << 130 << true << QStringList{u"x"_s, u"sin_101"_s};
        QTest::newRow("long, rule off") << 130 << false << QStringList{u"x"_s};
    }
    void longFusibleChainsAreCut() {
        QFETCH(int, length);
        QFETCH(bool, rule);
        QFETCH(QStringList, saved);
        const TensorType type{DType::f32, {4}, {1}, 0, {}, -1, 16, false};
        Graph joint("joint");
        std::vector<Node*> values{joint.addPlaceholder("x", {type}, Role::userInput)};
        Node* gradient = joint.addPlaceholder("tangent", {type}, Role::tangent);
        for (int i = 0; i < length; ++i)
            values.push_back(joint.addCall("aten.sin.default", {values.back()}, {}, {type}));
        for (std::size_t i = values.size() - 1; i-- > 0;) {
            Node* factor = joint.addCall("aten.cos.default", {values[i]}, {}, {type});
            gradient = joint.addCall("aten.mul.Tensor", {gradient, factor}, {}, {type});
        }
        joint.setOutput({values.back(), gradient}, {{Role::userOutput, ""}, {Role::gradient, "x"}});
        const MinCutOptions options{.banLongFusibleChains = rule};
        const Partition partition = partitionByMinCut(joint, options);
        QCOMPARE(namesOf(partition.saved), saved);
        QVERIFY(verifyGraph(*partition.forward).empty() && verifyGraph(*partition.backward).empty());
    }

    void everyBanReasonOccursInTheCases() {
        std::set<QString> missing;
        for (const BanReason reason : kEnumerators<BanReason>) missing.insert(q(describe(reason)));
        missing.erase(q(describe(BanReason::forwardSeed)));       // no placeholder has that role yet
        missing.erase(q(describe(BanReason::longFusibleChain)));  // see longFusibleChainsAreCut
        const QDir folder(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/golden/partition/min_cut"));
        for (const QString& name : folder.entryList({u"*.txt"_s})) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QString text = QString::fromUtf8(file.readAll());
            std::erase_if(missing, [&](const QString& reason) { return text.contains(u"banned: "_s + reason); });
        }
        QVERIFY2(missing.empty(), missing.empty() ? "" : qPrintable(*missing.begin()));
    }

    void bytesInStoragesOfTheirOwn() {
        // Two views of one activation, a view of the input, an activation alone, and the input itself.
        const auto joint = parseSound(R"g(graph joint
  %x : f32[4, 4]<0, 0, 64> = placeholder(input)
  %t : f32[4, 4]<1, 0, 64> = placeholder(tangent)
  %base : f32[4, 8]<2, 0, 128> = aten.cumsum.default(%x, 0)
  %left : f32[4, 4][8, 1]<2, 0, 128> = aten.slice.Tensor(%base, 1, 0, 4)
  %right : f32[4, 4][8, 1]<2, 4, 128> = aten.slice.Tensor(%base, 1, 4, 8)
  %of_input : f32[4, 4][1, 4]<0, 0, 64> = aten.t.default(%x)
  %alone : f32[4, 4]<3, 0, 64> = aten.cumsum.default(%x, 1)
  %a : f32[4, 4]<4, 0, 64> = aten.made_up.default(%t, %left, %right, %of_input, %alone, %x) ; stage=backward
  return [%alone : output, %a : gradient "x"]
)g");
        const Partition partition = partitionByDefault(*joint);
        QCOMPARE(namesOf(partition.saved), QStringList({u"x"_s, u"left"_s, u"right"_s, u"of_input"_s, u"alone"_s}));
        QCOMPARE(partition.savedUniqueBytes(), 128 + 64);
        QCOMPARE(partition.savedBytes(SavedValue::Kind::activation), 4 * 64);
        QCOMPARE(partition.savedBytes(SavedValue::Kind::input), 64);
        QCOMPARE(partition.savedBytes(SavedValue::Kind::symint), 0);
        const PartitionFigures figures = figuresOf(partition);
        QCOMPARE(figures.savedValues, 2U);
        QCOMPARE(figures.savedBytes, 128 + 64);
        QCOMPARE(figures.keptInputs, 1U);
        QCOMPARE(figures.keptInputBytes, 64);
        QCOMPARE(figures.keptViews, 2U);
        QCOMPARE(figures.saved[2].owner, joint->findByName("left")->id());
        QCOMPARE(figures.saved[3].owner, joint->findByName("x")->id());
        QCOMPARE(figuresText(figures), std::string("2 values saved, 192 B; 0 operations recomputed"));
        QCOMPARE(keptText(figures), std::string("; already kept: 1 input (64 B), 2 views"));
        QCOMPARE(gradientCount(*joint), 1U);
    }

    /// If storages are unknown, views are recognized by their operations.
    void viewsWithoutStorages() {
        const auto joint = parseSound(R"g(graph joint
  %x : f32[4, 4] = placeholder(input)
  %t : f32[4, 4] = placeholder(tangent)
  %exp : f32[4, 4] = aten.exp.default(%x)
  %view : f32[16] = aten.view.default(%exp, [16])
  %of_input : f32[4, 4] = aten.t.default(%x)
  %a : f32[4, 4] = aten.made_up.default(%t, %exp, %view, %of_input) ; stage=backward
  return [%exp : output, %a : gradient "x", None : gradient "y"]
)g");
        const PartitionFigures figures = figuresOf(partitionByDefault(*joint));
        QCOMPARE(figures.savedValues, 1U);
        QCOMPARE(figures.savedBytes, 64);
        QCOMPARE(figures.keptViews, 2U);
        QCOMPARE(gradientCount(*joint), 1U);
    }

    /// Recomputing views, elements of tuples and sizes takes no time.
    void onlyWhatComputesIsRecomputed() {
        const auto joint = parseSound(R"g(graph joint
  %x : f32[4, 4]<0, 0, 64> = placeholder(input)
  %t : f32[4, 4]<1, 0, 64> = placeholder(tangent)
  %exp : f32[4, 4]<2, 0, 64> = aten.exp.default(%x)
  %view : f32[16]<2, 0, 64> = aten.view.default(%exp, [16])
  %max : (f32[]<3, 0, 4>, i64[]<4, 0, 8>) = aten.max.dim(%view, 0)
  %getitem : i64[]<4, 0, 8> = operator.getitem(%max, 1)
  %a : f32[4, 4]<5, 0, 64> = aten.made_up.default(%t, %getitem) ; stage=backward
  return [%getitem : output, %a : gradient "x"]
)g");
        PartitionOptions options{.algorithm = PartitionAlgorithm::defaultPartition};
        for (const char* name : {"exp", "view", "max", "getitem"})
            options.cut.mustRecompute.insert(joint->findByName(name)->id());
        const Partition partition = partitionJoint(*joint, options);
        QCOMPARE(partition.recomputed.size(), 4U);
        const PartitionFigures figures = figuresOf(partition);
        QCOMPARE(figures.recomputedOps, 2U);
        QCOMPARE(figures.recomputedBytes, 64 + 12);
        QVERIFY(!figures.recomputed[1] && !figures.recomputed[3]);
        QCOMPARE(figuresText(figures), std::string("0 values saved, 0 B; 2 operations recomputed, 76 B"));
    }

    void idsSurviveTheSplit() {
        const auto joint = parseSound(
            "graph joint\n%x : f32[2] = placeholder(input) ; id=3\n%t : f32[2] = placeholder(tangent) ; id=9\n"
            "%s : f32[2] = aten.sin.default(%x) ; id=12\n%m : f32[2] = aten.mul.Tensor(%t, %s) ; id=30\n"
            "return [%s : output, %m : gradient]");
        const Partition partition = partitionByMinCut(*joint, {});
        for (const Graph* graph : {partition.forward.get(), partition.backward.get()})
            for (const Node* node : graph->nodes())
                if (node->kind() != NodeKind::output) QCOMPARE(q(joint->findById(node->id())->name()), q(node->name()));
    }
};

AOTSCOPE_TEST(TestPartition)

}  // namespace aotscope::test::partition_test

#include "test_partition.moc"
