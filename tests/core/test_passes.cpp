// Passes on graphs, text in and text out; the operator table that they use.

#include "ops/functional_graph.h"
#include "ops/op_table.h"
#include "ops/unneeded_copies.h"
#include "passes/passes.h"
#include "record/compile_record.h"
#include "record/level_map.h"
#include "support/test_program.h"
#include "support/text.h"
#include "support/text_cases.h"

namespace aotscope::test::passes_test {
namespace {

/// Runs `pass` on the graph of a text case: first line whether it changed, then the graph.
template <typename Pass>
QByteArray runOnText(const QByteArray& input, Pass&& pass) {
    const auto graph = parseSound(input.toStdString());
    const std::string before = printGraph(*graph, Detail::full);
    std::string notes;
    const bool changed = pass(*graph, notes);
    requireSound(*graph, "the pass under test");
    if (!changed && printGraph(*graph, Detail::full) != before) return "changed the graph, but said it did not";
    return QByteArray::fromStdString((changed ? "# changed\n" : "# unchanged\n") + notes + printGraph(*graph));
}

}  // namespace

class TestPasses : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void deadCode_data() { QVERIFY(addTextCases(u"dead_code"_s) > 0); }
    void deadCode() {
        QFETCH(QString, file);
        const auto pass = [](Graph& graph, std::string& notes) {
            const bool foreseen = hasDeadCode(graph), changed = eliminateDeadCode(graph);
            if (changed != foreseen) notes += "# hasDeadCode() is wrong\n";
            return changed;
        };
        const QString difference = checkTextCase(file, [&](const auto& input) { return runOnText(input, pass); });
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }

    void commonSubexpressions_data() { QVERIFY(addTextCases(u"common_subexpressions"_s) > 0); }
    void commonSubexpressions() {
        QFETCH(QString, file);
        const auto pass = [](Graph& graph, std::string& notes) {
            const auto before = graph.clone();
            std::vector<std::pair<NodeId, NodeId>> merged;
            const bool foreseen = mayHaveCommonSubexpressions(graph);
            const bool changed = eliminateCommonSubexpressions(graph, merged);
            if (changed && !foreseen) notes += "# mayHaveCommonSubexpressions() is wrong\n";
            for (auto [gone, kept] : merged)
                notes += "# " + before->findById(gone)->name() + " became " + before->findById(kept)->name() + "\n";
            return changed;
        };
        const QString difference = checkTextCase(file, [&](const auto& input) { return runOnText(input, pass); });
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }

    void dropCopies_data() { QVERIFY(addTextCases(u"drop_copies"_s) > 0); }
    /// With the numbers of storages: views have to follow.
    void dropCopies() {
        QFETCH(QString, file);
        const auto pass = [](Graph& graph, std::string& notes) {
            const auto before = graph.clone();
            std::vector<std::pair<NodeId, NodeId>> dropped;
            const bool changed = dropUnneededCopies(graph, dropped);
            for (auto [copy, original] : dropped)
                notes += "# " + before->findById(copy)->name() + " became " + before->findById(original)->name() + "\n";
            for (const Node* node : graph.nodes())
                if (const TensorType* type = node->type.tensor())
                    notes += "# " + node->name() + " in " + std::to_string(type->storage) + "\n";
            return changed;
        };
        const QString difference = checkTextCase(file, [&](const auto& input) { return runOnText(input, pass); });
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }

    void passesAreIdempotent_data() { QVERIFY(addTextCases(u"common_subexpressions"_s) > 0); }
    void passesAreIdempotent() {
        QFETCH(QString, file);
        QFile source(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/golden/") + file);
        QVERIFY(source.open(QIODevice::ReadOnly));
        const QByteArray text = source.readAll();
        const auto graph = parseSound(text.left(text.indexOf("----")).toStdString());
        std::vector<std::pair<NodeId, NodeId>> merged;
        eliminateCommonSubexpressions(*graph, merged);
        eliminateDeadCode(*graph);
        QVERIFY(!eliminateCommonSubexpressions(*graph, merged));
        QVERIFY(!eliminateDeadCode(*graph));
    }

    // --- operator table ---

    void recomputableOperatorsAreThoseOfPyTorch() {
        QFile list(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/recomputable_packets.txt"));
        QVERIFY(list.open(QIODevice::ReadOnly));
        const auto packets = list.readAll().split('\n');
        int count = 0;
        for (const QByteArray& packet : packets) {
            if (packet.isEmpty()) continue;
            ++count;
            QVERIFY2(opTags((packet + ".default").toStdString()) & kRecomputable, packet.constData());
        }
        QCOMPARE(count, 352);
        for (const char* op : {"transpose",
                               "detach",
                               "diagonal",
                               "unbind",
                               "cat",
                               "copy",
                               "select_scatter",
                               "slice_scatter",
                               "as_strided_scatter",
                               "new_empty_strided",
                               "index_put",
                               "repeat",
                               "cumsum",
                               "prod",
                               "_softmax",
                               "native_layer_norm",
                               "embedding",
                               "bernoulli",
                               "mm",
                               "native_dropout"})
            QVERIFY2(!(opTags(std::string("aten.") + op + ".default") & kRecomputable), op);
    }

    void tagsOfOperators_data() {
        const auto row = columns<QString, int, bool, QString>("op", "tags", "mutates", "family");
        row("aten.view.default", kView | kRecomputable, false, "view");
        row("aten.split.Tensor", kView | kRecomputable, false, "view");
        row("prims.broadcast_in_dim.default", kView | kRecomputable, false, "view");
        row("aten.mm.default", kComputeIntensive, false, "matrix product");
        row("aten.convolution_backward.default", kComputeIntensive, false, "convolution");
        row("aten.native_dropout.default", kRandomFusible | kRandom, false, "random");
        row("aten.bernoulli.default", kRandom, false, "random");
        row("aten.add.Tensor", kRecomputable, false, "pointwise");
        row("aten.add_.Tensor", kRecomputable, true, "pointwise");
        row("aten.copy_.default", 0, true, "other");
        row("aten.bernoulli_.float", kRandom, true, "random");
        row("aten.__ilshift__.Scalar", kRecomputable, true, "pointwise");
        row("aten.mul.Scalar_out", kRecomputable, true, "pointwise");
        row("aten.rrelu_with_noise.default", kRandom, true, "random");
        row("aten.__lshift__.Scalar", kRecomputable, false, "pointwise");
        row("operator.getitem", kRecomputable, false, "view");
        row("aten.no_such_operator.default", 0, false, "other");
    }
    void tagsOfOperators() {
        FETCH(QString, op, family);
        QFETCH(int, tags);
        QFETCH(bool, mutates);
        QCOMPARE(static_cast<int>(opTags(op.toStdString())), tags);
        QCOMPARE(isMutating(op.toStdString()), mutates);
        QCOMPARE(q(name(opFamily(op.toStdString()))), family);
    }

    void onlyTheEpilogueMutates_data() {
        const auto row = columns<QByteArray, QString>("calls", "finding");
        row("nothing", "  %a : f32[2] = aten.sin.default(%x)\n", QString());
        row("epilogue",
            "  %a : f32[2] = aten.sin.default(%x)\n"
            "  %c : f32[2] = aten.copy_.default(%x, %a)\n",
            QString());
        row("an intermediate",
            "  %b : f32[2] = aten.sin.default(%x)\n"
            "  %a : f32[2] = aten.add_.Tensor(%b, 1)\n",
            "%a (aten.add_.Tensor) mutates, but copies into no input");
        row("results as arguments",
            "  %b : f32[2] = aten.sin.default(%x)\n"
            "  %a : f32[2] = aten.sin.out(%x, out=%b)\n",
            "%a (aten.sin.out) mutates, but copies into no input");
        row("in place on an input", "  %a : f32[2] = aten.add_.Tensor(%x, 1)\n",
            "%a (aten.add_.Tensor) mutates, but copies into no input");
        row("collective in place", "  %a : f32[2] = _c10d_functional.all_reduce_.default(%x, \"sum\", \"0\")\n",
            "%a (_c10d_functional.all_reduce_.default) mutates, but copies into no input");
        row("collective with its result as an argument",
            "  %a : f32[4] = _c10d_functional.all_gather_into_tensor_out.default(%x, 2, \"0\", out=%y)\n",
            "%a (_c10d_functional.all_gather_into_tensor_out.default) mutates, but copies into no input");
        row("functional collective",
            "  %b : f32[2] = _c10d_functional.all_reduce.default(%x, \"sum\", \"0\")\n"
            "  %a : f32[2] = _c10d_functional.wait_tensor.default(%b)\n",
            QString());
        row("read afterwards",
            "  %c : f32[2] = aten.copy_.default(%x, %y)\n"
            "  %a : f32[2] = aten.sin.default(%x)\n",
            "%a reads %x after %c has overwritten it");
    }
    void onlyTheEpilogueMutates() {
        QFETCH(QByteArray, calls);
        QFETCH(QString, finding);
        const auto graph =
            parseSound("graph g\n  %x : f32[2] = placeholder(input)\n  %y : f32[2] = placeholder(input)\n" +
                       calls.toStdString() + "  return [%a : output]\n");
        const auto findings = mutationsBesideEpilogue(*graph);
        QCOMPARE(findings.empty() ? QString() : q(findings.front()), finding);
    }

    // --- records ---

    void graphKindsHaveNames() {
        for (int i = 0; i < kGraphKinds; ++i)
            QCOMPARE(graphKindFromName(name(static_cast<GraphKind>(i))), std::optional(static_cast<GraphKind>(i)));
        QVERIFY(!graphKindFromName("sideways"));
    }

    void nodesCorrespondAcrossGraphs() {
        const auto source = parseSound(
            "graph source\n%x : ? = placeholder ; id=7\n%relu : ? = aten.relu_.default(%x) ; id=9\nreturn [%relu]");
        const auto joint =
            parseSound("graph joint\n%p : ? = placeholder ; id=0\n%y : ? = aten.relu.default(%p) ; id=1\nreturn [%y]");
        const auto backward = parseSound("graph backward\n%y : ? = placeholder ; id=1\nreturn [%y]");
        const CompileRecord record;
        const LevelMap across(record, *source, GraphKind::source, *joint, GraphKind::joint);
        QCOMPARE(across.twinOf(7), 0);
        QCOMPARE(across.twinOf(9), 1);
        QCOMPARE(across.twinOf(8), kNoNode);
        QCOMPARE(across.twinOf(kNoNode), kNoNode);
        // Graphs of one lineage share node ids, whatever the kind of the nodes.
        const LevelMap within(record, *joint, GraphKind::joint, *backward, GraphKind::backward);
        QCOMPARE(within.twinOf(1), 1);
        QCOMPARE(within.twinOf(0), kNoNode);
    }

    void sameStructureLooksAtOperationsAndOperands() {
        const char* text =
            "graph g\n  %x : f32[2] = placeholder\n%y : f32[2] = placeholder\n"
            "%z : f32[2] = aten.sub.Tensor(%x, %y)\nreturn [%z]";
        const auto graph = parseSound(text);
        const auto differs = [&](std::string_view from, std::string_view to) {
            std::string other(text);
            other.replace(other.find(from), from.size(), to);
            return !sameStructure(*graph, *parseSound(other));
        };
        QVERIFY(sameStructure(*graph, *graph->clone()));
        QVERIFY(!differs("graph g", "graph h"));
        QVERIFY(differs("aten.sub.Tensor", "aten.add.Tensor"));
        QVERIFY(differs("(%x, %y)", "(%y, %x)"));
        QVERIFY(differs("(%x, %y)", "(%x, %x)"));
        QVERIFY(differs("return [%z]", "return [%x]"));
    }
};

AOTSCOPE_TEST(TestPasses)

}  // namespace aotscope::test::passes_test

#include "test_passes.moc"
