// Activation checkpointing: tags and policies, where they come from, and partitions against PyTorch's.

#include "ir/verifier.h"
#include "partition/checkpointed_modules.h"
#include "partition/partition_joint.h"
#include "session/session.h"
#include "support/models.h"
#include "support/scratch.h"
#include "support/test_program.h"
#include "support/text.h"

#include <algorithm>

namespace aotscope::test::checkpointing_test {
namespace {

/// Two layers, one after the other.
constexpr const char* kLayers = R"g(graph joint
  %x : f32[4, 4]<0, 0, 64> = placeholder(input)
  %w : f32[4, 4]<1, 0, 64> = placeholder(input)
  %v : f32[4, 4]<2, 0, 64> = placeholder(input)
  %t : f32[4, 4]<3, 0, 64> = placeholder(tangent)
  %mm : f32[4, 4]<4, 0, 64> = aten.mm.default(%x, %w) ; module="layers.0"
  %gelu : f32[4, 4]<5, 0, 64> = aten.gelu.default(%mm) ; module="layers.0"
  %mm_1 : f32[4, 4]<6, 0, 64> = aten.mm.default(%gelu, %v) ; module="layers.1"
  %rand : f32[4, 4]<7, 0, 64> = aten.rand_like.default(%mm_1) ; module="layers.1"
  %mul : f32[4, 4]<8, 0, 64> = aten.mul.Tensor(%mm_1, %rand) ; module="layers.1"
  %sin : f32[4, 4]<9, 0, 64> = aten.sin.default(%mul)
  %cos : f32[4, 4]<10, 0, 64> = aten.cos.default(%mul) ; stage=backward
  %a : f32[4, 4]<11, 0, 64> = aten.mul.Tensor(%t, %cos) ; stage=backward
  %b : f32[4, 4]<12, 0, 64> = aten.mul.Tensor(%a, %rand) ; stage=backward module="layers.1"
  %c : f32[4, 4]<13, 0, 64> = aten.mm.default(%gelu, %b) ; stage=backward module="layers.1"
  %d : f32[4, 4]<14, 0, 64> = aten.mm.default(%b, %v) ; stage=backward module="layers.1"
  %e : f32[4, 4]<15, 0, 64> = aten.gelu_backward.default(%d, %mm) ; stage=backward module="layers.0"
  %f : f32[4, 4]<16, 0, 64> = aten.mm.default(%x, %e) ; stage=backward module="layers.0"
  return [%sin : output, %c : gradient, %f : gradient]
)g";

template <typename Values>
QStringList namesOf(const Values& values) {
    QStringList names;
    for (const auto& value : values) names << q(value.name);
    return names;
}

QStringList textsIn(const QJsonValue& list) {
    QStringList texts;
    for (const auto& text : list.toArray()) texts << text.toString();
    return texts;
}

QStringList callsOf(const Graph& graph) {
    QStringList names;
    for (const Node* node : graph.nodes())
        if (node->kind() == NodeKind::call) names << q(node->name());
    return names;
}

std::string reasonIn(const Partition& partition, std::string_view name) {
    for (const SavedValue& value : partition.saved)
        if (value.name == name) return value.reason;
    return "not saved";
}

}  // namespace

class TestCheckpointing : public QObject {
    Q_OBJECT

    Scratch scratch_;

private Q_SLOTS:
    /// Joint graphs of small models, two of them with collectives, with random tags: what PyTorch 2.13 saved, and in
    /// which order its backward runs.
    void partitionsAsPython_data() {
        QFile file(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/checkpoints.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject recorded = QJsonDocument::fromJson(file.readAll()).object();
        const QStringList graphs = textsIn(recorded[u"graphs"_s]);
        columns<QString, QJsonObject>("graph", "expected");
        int number = 0;
        for (const auto& entry : recorded[u"cases"_s].toArray())
            QTest::addRow("%d", number++) << graphs[entry.toObject()[u"graph"_s].toInt()] << entry.toObject();
        QVERIFY(number >= 50);
    }
    void partitionsAsPython() {
        QFETCH(QString, graph);
        QFETCH(QJsonObject, expected);
        const auto joint = parseSound(graph.toStdString());
        const QJsonObject tags = expected[u"tags"_s].toObject();
        for (auto tag = tags.begin(); tag != tags.end(); ++tag) {
            const QJsonArray values = tag.value().toArray();
            const auto policy = checkpointPolicyFromName(values[0].toString().toStdString());
            QVERIFY(policy);
            joint->findByName(tag.key().toStdString())->checkpoint = {*policy, values[1].toInt()};
        }
        PartitionOptions options{.memoryBudget = expected[u"budget"_s].toDouble()};
        if (expected[u"algorithm"_s] == "default"_L1) options.algorithm = PartitionAlgorithm::defaultPartition;
        const Partition partition = partitionJoint(*joint, options);
        QCOMPARE(namesOf(partition.saved), textsIn(expected[u"saved"_s]));
        QCOMPARE(callsOf(*partition.backward), textsIn(expected[u"backward"_s]));
    }

    void policies_data() {
        const auto row = columns<QStringList, QStringList>("policies", "recomputed");
        row("none", {}, {u"mul"_s});
        row("a layer", {u"prefer_recompute=module:layers.0"_s}, {u"mm"_s, u"gelu"_s, u"mul"_s});
        row("without its product", {u"prefer_recompute=module:layers.0"_s, u"must_save=op:mm"_s},
            {u"gelu"_s, u"mul"_s});
        row("the last one counts", {u"must_save=op:mm"_s, u"MUST_RECOMPUTE=op:mm"_s}, {u"mm"_s, u"mm_1"_s, u"mul"_s});
        row("left to the partitioner", {u"must_recompute=module:layers.0"_s, u"prefer_save=module:layers.0"_s},
            {u"mul"_s});
        row("one region", {u"prefer_recompute=module:layers"_s}, {u"mm"_s, u"gelu"_s, u"mm_1"_s, u"rand"_s, u"mul"_s});
    }
    void policies() {
        FETCH(QStringList, policies, recomputed);
        PartitionOptions options;
        for (const QString& policy : policies) options.policies.push_back(policy.toStdString());
        const Partition partition = partitionJoint(*parseSound(kLayers), options);
        QStringList again = namesOf(partition.recomputed);
        for (QStringList* names : {&again, &recomputed}) names->sort();
        QCOMPARE(again, recomputed);
    }

    /// As with a checkpoint around each module, in whatever order the policies are given.
    void everyPolicyIsARegion() {
        for (const bool reversed : {false, true}) {
            PartitionOptions options;
            options.policies = {"prefer_recompute=module:layers.0", "prefer_recompute=module:layers.1"};
            if (reversed) std::ranges::reverse(options.policies);
            const Partition partition = partitionJoint(*parseSound(kLayers), options);
            QCOMPARE(q(reasonIn(partition, "gelu")), u"cannot recompute: border between two checkpointed regions"_s);
            QCOMPARE(namesOf(partition.recomputed), QStringList({u"mm_1"_s, u"rand"_s, u"mul"_s, u"mm"_s}));
        }
    }

    /// With the RNG state of the forward; a budget alone needs none.
    void randomNumbersAreDrawnAgain() {
        PartitionOptions options;
        for (const double budget : {1.0, 0.3, 0.0}) {
            options.memoryBudget = budget;
            options.policies = {};
            QVERIFY(!namesOf(partitionJoint(*parseSound(kLayers), options).recomputed).contains(u"rand"_s));
            options.policies = {"must_recompute=op:rand"};
            const Partition partition = partitionJoint(*parseSound(kLayers), options);
            QVERIFY(namesOf(partition.recomputed).contains(u"rand"_s));
            const SavedValue& state = partition.saved.back();
            QCOMPARE(q(state.name), u"rng_state_of_rand"_s);
            QCOMPARE(state.type.bytes(), std::int64_t{5056});
            QCOMPARE(q(state.reason), u"the backward draws the numbers of %rand again"_s);
            const Node* again = partition.backward->findByName("rand");
            QCOMPARE(q(again->op()), u"higher_order.run_with_rng_state"_s);
            QCOMPARE(again->args()[0].node(), partition.backward->findByName("rng_state_of_rand"));
            QVERIFY(verifyGraph(*partition.forward).empty() && verifyGraph(*partition.backward).empty());
        }
    }

    /// Dropout and similar operations: equal to eager for every compiler, and later draws are unaffected.
    void randomOperationsRunAgainInTheBackward_data() {
        columns<QString, QString>("compiler", "partitioner");
        for (const char* compiler : {"interpreter", "torchscript", "fused"})
            for (const char* partitioner : {"min-cut", "default"})
                QTest::addRow("%s, %s", compiler, partitioner)
                    << QString::fromLatin1(compiler) << QString::fromLatin1(partitioner);
    }
    void randomOperationsRunAgainInTheBackward() {
        FETCH(QString, compiler, partitioner);
        Options options;
        options.compilers.forward = options.compilers.backward = compiler.toStdString();
        options.partition.algorithm =
            partitioner == "default"_L1 ? PartitionAlgorithm::defaultPartition : PartitionAlgorithm::minCut;
        options.partition.policies = {"must_recompute=op:native_dropout", "must_recompute=op:rand_like"};
        const Compiled compiled = compile(moduleFrom("def forward(self, x: Tensor) -> Tensor:\n"
                                                     "    h = torch.dropout(x.sin(), 0.5, True)\n"
                                                     "    h = h.cos() * torch.rand_like(h)\n"
                                                     "    return torch.dropout(h, 0.25, True).sin()"),
                                          R"([{"shape": [64, 32], "requires_grad": true}])", options);
        QStringList states;
        for (const SavedValue& value : compiled.record().partition->saved)
            if (value.op == "higher_order.rng_state") states << q(value.name);
        QCOMPARE(states.size(), 3);
        const CheckResult result = check(compiled);
        QVERIFY2(result.ok, result.details.empty() ? "" : result.details.front().c_str());
        QVERIFY(result.backwardRun);
    }

    void overridesComeBeforePolicies() {
        const PartitionOptions options{.save = {"mm"}, .policies = {"must_recompute=module:layers.0"}};
        QCOMPARE(namesOf(partitionJoint(*parseSound(kLayers), options).recomputed), QStringList({u"mul"_s, u"gelu"_s}));
    }

    void wrongPoliciesAreRefused_data() {
        columns<QString, QString>("policy", "error");
        QTest::newRow("no policy") << u"save=op:mm"_s << u"--policy save=op:mm: expected POLICY=QUERY"_s;
        QTest::newRow("no query") << u"must_save="_s << u"expected POLICY=QUERY"_s;
        QTest::newRow("no such word") << u"must_save=colour:red"_s << u"--policy must_save=colour:red: "_s;
        QTest::newRow("no match") << u"must_save=op:conv"_s << u"no operation of the forward matches"_s;
    }
    void wrongPoliciesAreRefused() {
        FETCH(QString, policy, error);
        const PartitionOptions options{.policies = {policy.toStdString()}};
        const QString message = errorOf([&] { partitionJoint(*parseSound(kLayers), options); });
        QVERIFY2(message.contains(error), qPrintable(message));
    }

    void collectivesAreNeverRecomputed() {
        QString text = QString::fromLatin1(kLayers);
        text.replace(u"aten.mm.default(%x, %w)"_s, u"_c10d_functional.all_reduce.default(%x, \"sum\", \"0\")"_s);
        const auto joint = parseSound(text.toStdString());
        PartitionOptions options;
        options.cut.dontBan.insert(joint->findByName("mm")->id());
        for (const double budget : {1.0, 0.5, 0.1, 0.0}) {
            options.memoryBudget = budget;
            const Partition partition = partitionJoint(*joint, options);
            QVERIFY(!namesOf(partition.recomputed).contains(u"mm"_s));
            QCOMPARE(q(reasonIn(partition, "mm")), u"cannot recompute: collective"_s);
        }
        // Unless a region requests it.
        options.policies = {"prefer_recompute=op:all_reduce"};
        options.memoryBudget = 1;
        QVERIFY(namesOf(partitionJoint(*joint, options).recomputed).contains(u"mm"_s));
    }

    /// For the joint graph and for forward and backward.
    void printedTags() {
        for (const char* name : {"checkpoint.log", "checkpoint.trace"}) {
            const Options options{.model = std::string(AOTSCOPE_SOURCE_DIR "/tests/data/printed/") + name};
            const auto record = Session::open(options, {})->record();
            const auto tagOf = [&](GraphKind kind, const char* node) {
                return record->graph(kind)->findByName(node)->checkpoint;
            };
            const CheckpointTag first = tagOf(GraphKind::joint, "exp"), second = tagOf(GraphKind::joint, "addmm_1");
            QCOMPARE(first.policy, CheckpointPolicy::preferRecompute);
            QCOMPARE(second.policy, CheckpointPolicy::mustSave);
            QVERIFY(first.region >= 0 && second.region == first.region + 1);
            QVERIFY(!tagOf(GraphKind::joint, "sin").isSet());
            QCOMPARE(tagOf(GraphKind::forward, "exp"), first);
            QVERIFY(!tagOf(GraphKind::backward, "cos").isSet());
        }
    }

    void tagsInComments_data() {
        const auto row = columns<QString, QString>("comment", "expected");
        row("# ac_graph_id: 3 - PREFER_SAVE No stacktrace found", "PREFER_SAVE 3");
        row("# recompute: MUST_RECOMPUTE No stacktrace found", "MUST_RECOMPUTE -1");
        row("# ac_graph_id: 7 No stacktrace found", " 7");
        row("# Annotation: {'a': 1} ac_graph_id: 0 - MUST_SAVE File: x.py:1 in f, code: y", "MUST_SAVE 0");
        row("# ac_graph_id: 3 - MUST_CPU_OFFLOAD File: x.py:1 in f, code: y", " 3");
        row("# ac_graph_id: 99999999999 - MUST_SAVE", " -1");
        row("# ac_graph_id: -4 - MUST_SAVE", " -1");
        row("# ac_graph_id: ", " -1");
        row("# File: x.py:1 in f, code: print(\" recompute: MUST_SAVE\")", " -1");
    }
    void tagsInComments() {
        FETCH(QString, comment, expected);
        const QString file = scratch_.write(
            u"graph.txt"_s, "class joint(torch.nn.Module):\n    def forward(self, x: \"f32[2]\"):\n        " +
                                comment.toUtf8() +
                                "\n        sin: \"f32[2]\" = torch.ops.aten.sin.default(x)\n"
                                "        return (sin,)\n");
        const auto record = Session::open({.model = file.toStdString()}, {})->record();
        QCOMPARE(record->graphs.size(), std::size_t(1));
        const CheckpointTag tag = record->graphs.begin()->second->findByName("sin")->checkpoint;
        QCOMPARE(q(name(tag.policy)) + u' ' + QString::number(tag.region), expected);
    }

    void repeatedModulesAreFound_data() {
        QTest::addColumn<QString>("sample");
        QTest::addColumn<QStringList>("modules");
        QTest::newRow("resnet18") << u"resnet18"_s
                                  << QStringList{u"layer1.0"_s, u"layer1.1"_s, u"layer2.0"_s, u"layer2.1"_s,
                                                 u"layer3.0"_s, u"layer3.1"_s, u"layer4.0"_s, u"layer4.1"_s};
        QTest::newRow("gpt2-tiny") << u"gpt2-tiny"_s << QStringList{u"blocks.0"_s, u"blocks.1"_s};
        QTest::newRow("sincos") << u"sincos"_s << QStringList();
    }
    /// The blocks, and neither what they consist of nor what consists of them.
    void repeatedModulesAreFound() {
        QFETCH(QString, sample);
        QFETCH(QStringList, modules);
        const auto session = Session::open({.model = "sample:" + sample.toStdString()}, {});
        QStringList found;
        for (const std::string& module : repeatedModules(*session->record()->graph(GraphKind::joint)))
            found << q(module);
        QCOMPARE(found, modules);
    }

    /// "layers.1" is not "layers.10", and selective policies keep products.
    void modulesAreCheckpointed() {
        std::string text = kLayers;
        for (std::size_t at = 0; (at = text.find("layers.0", at)) != std::string::npos; at += 9)
            text.replace(at, 8, "layers.10");
        const auto joint = parseGraph(text);
        const auto recomputed = [&](CheckpointedPart part) {
            const PartitionOptions options{.policies = checkpointPolicies({"layers.10"}, part)};
            return namesOf(partitionJoint(*joint, options).recomputed);
        };
        const QStringList whole = recomputed(CheckpointedPart::whole);
        QVERIFY2(whole.contains(u"mm"_s) && whole.contains(u"gelu"_s), qPrintable(whole.join(u' ')));
        const QStringList selective = recomputed(CheckpointedPart::selective);
        QVERIFY2(!selective.contains(u"mm"_s) && selective.contains(u"gelu"_s), qPrintable(selective.join(u' ')));
        QCOMPARE(checkpointedBy(checkpointPolicies({"layers.10", "layers.1"}, CheckpointedPart::selective)), 2);
        QVERIFY(hasProducts(*joint, {"layers.10"}) && !hasProducts(*joint, {"layers.100"}));
        for (const std::string other : {"layers", "layers.1"}) {
            const PartitionOptions options{.policies = checkpointPolicies({other}, CheckpointedPart::whole)};
            QCOMPARE(namesOf(partitionJoint(*joint, options).recomputed).contains(u"mm"_s), other == "layers");
        }
    }
};

AOTSCOPE_TEST(TestCheckpointing)

}  // namespace aotscope::test::checkpointing_test

#include "test_checkpointing.moc"
