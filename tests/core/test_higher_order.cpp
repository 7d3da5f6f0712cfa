// Models with cond, map, scan, while_loop and associative_scan (tests/data/higher_order): values and losses against
// eager Python's, joint graphs as Python's, and what the subgraphs become in texts and session files.

#include "io/session/session_file.h"
#include "ir/diff.h"
#include "ir/printer.h"
#include "ir/provenance.h"
#include "ir/subgraphs.h"
#include "ops/decompositions/decomposition_table.h"
#include "record/results/train_result.h"
#include "session/session.h"
#include "support/op_histogram.h"
#include "support/scratch.h"
#include "support/test_program.h"
#include "support/text.h"

#include <array>

namespace aotscope::test::higher_order_test {
namespace {

constexpr std::array kModels = {"cond",      "nested",          "map",        "scan",     "whileloop",
                                "conditem",  "condnumber",      "mapitem",    "scanitem", "whileitem",
                                "whiledata", "associativescan", "dynamiccond"};

QString dataFile(const QString& name) { return QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/higher_order/") + name; }

Options optionsFor(const QString& model) { return {.model = dataFile(model + u".pt2"_s).toStdString()}; }

std::shared_ptr<const Session> opened(const Options& options) {
    auto session = Session::open(options, {});
    if (!session->record()->error.empty()) qWarning("%s", session->record()->error.c_str());
    return session;
}

QJsonObject reference() {
    QFile file(dataFile(u"reference.json"_s));
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

std::vector<const Node*> higherOrderCalls(const Graph& graph) {
    std::vector<const Node*> calls;
    for (const Node* node : graph.nodes())
        if (node->op().starts_with("higher_order.")) calls.push_back(node);
    return calls;
}

QStringList operationsIn(const Graph& graph) {
    QStringList operations;
    for (const Node* node : graph.nodes())
        if (node->kind() == NodeKind::call) operations << q(node->op());
    return operations;
}

}  // namespace

class TestHigherOrder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void compiledEqualsEager_data() {
        QTest::addColumn<bool>("inference");
        for (const char* model : kModels) {
            QTest::addRow("%s, training", model) << false;
            QTest::addRow("%s, inference", model) << true;
        }
    }
    void compiledEqualsEager() {
        QFETCH(bool, inference);
        Options options = optionsFor(QString::fromLatin1(QTest::currentDataTag()).section(u',', 0, 0));
        options.inference = inference;
        options.verify = true;
        const auto session = opened(options);
        QCOMPARE(q(session->record()->error), QString());
        QVERIFY(session->check({}).ok);
    }

    /// Batches alternate between branches: the graphs are those of all data. If the number of steps of a loop depends
    /// on data, a graph is compiled for each.
    void lossesAreThoseOfEagerPython_data() {
        QTest::addColumn<QString>("model");
        for (const char* model : kModels) QTest::newRow(model) << QString::fromLatin1(model);
    }
    void lossesAreThoseOfEagerPython() {
        QFETCH(QString, model);
        const auto session = opened(optionsFor(model));
        const TrainResult result =
            session->train({.steps = 20, .rate = 0.1, .data = dataFile(u"batches.pt"_s).toStdString()}, {}, {});
        const QJsonArray expected = reference()[model]["losses"_L1].toArray();
        QCOMPARE(static_cast<int>(result.steps.size()), 20);
        for (int i = 0; i < 20; ++i) {
            const TrainStep& step = result.steps[static_cast<std::size_t>(i)];
            QVERIFY2(std::abs(step.eager.loss - expected[i].toDouble()) < 1e-5, qPrintable(QString::number(i)));
            QVERIFY2(std::abs(step.compiled.loss - expected[i].toDouble()) < 1e-5, qPrintable(QString::number(i)));
        }
    }

    /// As in Python: the backward runs the joint graphs of the branches on the operands, and nothing else is saved.
    void backwardOfCondRunsTheJointGraphsOfItsBranches() {
        const auto record = opened(optionsFor(u"cond"_s))->record();
        const auto calls = higherOrderCalls(*record->graph(GraphKind::joint));
        QCOMPARE(calls.size(), std::size_t{2});
        QCOMPARE(q(printArgument(calls[0]->args()[1])), u"@true_graph_0"_s);
        QCOMPARE(q(printArgument(calls[1]->args()[2])), u"@false_graph_1"_s);
        const Graph& forward = **calls[0]->args()[1].subgraph();
        QCOMPARE(operationsIn(forward), (QStringList{"aten.t.default", "aten.addmm.default", "aten.relu.default"}));
        const Graph& backward = **calls[1]->args()[1].subgraph();
        QCOMPARE(backward.outputs().size(), std::size_t{5});
        QVERIFY(operationsIn(backward).contains(u"aten.threshold_backward.default"_s));
        QCOMPARE(operationsIn(backward).count(u"aten.zeros_like.default"_s), 3);
        QVERIFY(calls[1]->stage == Stage::backward);
        QCOMPARE(calls[1]->autograd.forward, calls[0]->id());
        QCOMPARE(q(calls[1]->autograd.function), u"condBackward"_s);
    }

    void decompositionsReachSubgraphs() {
        Options options = optionsFor(u"cond"_s);
        options.decompositions = DecompositionTable::load("core-aten");
        const auto record = opened(options)->record();
        const Graph& forward = **higherOrderCalls(*record->graph(GraphKind::joint)).at(0)->args()[1].subgraph();
        QVERIFY2(!operationsIn(forward).contains(u"aten.t.default"_s), qPrintable(operationsIn(forward).join(u' ')));
    }

    void textAndSessionFileKeepSubgraphs() {
        const auto session = opened(optionsFor(u"nested"_s));
        const auto joint = session->record()->graph(GraphKind::joint);
        const std::string text = printGraph(*joint, Detail::full);
        QVERIFY(text.find("graph joint.true_graph_0.true_graph_0\n") != std::string::npos);
        QVERIFY(printWithProvenance(*joint).find("graph joint.true_graph_0.true_graph_0\n") != std::string::npos);
        QCOMPARE(q(printGraph(*parseSound(text), Detail::full)), q(text));

        const Scratch scratch;
        const QString path = scratch.at(u"nested.aotscope"_s);
        writeSessionFile(path.toStdString(), session->content());
        const Options options{.model = path.toStdString()};
        QCOMPARE(q(printGraph(*Session::open(options, {})->record()->graph(GraphKind::joint), Detail::full)), q(text));
    }

    void differencesNameTheLineOfTheSubgraph() {
        const char* head =
            "graph g\n  %p : b8[] = placeholder\n  %c : (f32[1]) = higher_order.cond(%p, @a, @a, [])\n"
            "  return [%p : output]\ngraph g.a\n  %x : f32[1] = aten.ones.default([1])\n";
        const auto before =
            parseSound(std::string(head) + "  %y : f32[1] = aten.sin.default(%x)\n  return [%y : output]");
        const auto after =
            parseSound(std::string(head) + "  %y : f32[1] = aten.cos.default(%x)\n  return [%y : output]");
        const auto same = [](const Node& a, const Node& b) { return a.name() == b.name(); };
        QCOMPARE(q(describeChange(*before->findByName("c"), *after->findByName("c"), same)),
                 u"in @a %y: op aten.sin.default -> aten.cos.default"_s);
    }

    /// As in Python: the step is split by the min-cut partitioner. The forward stacks what it saves, and the backward
    /// is a scan over that in reverse.
    void backwardOfScanIsAReverseScan() {
        const auto record = opened(optionsFor(u"scan"_s))->record();
        const auto calls = higherOrderCalls(*record->graph(GraphKind::joint));
        QCOMPARE(calls.size(), std::size_t{2});
        const Graph& forward = **calls[0]->args()[0].subgraph();
        const Graph& backward = **calls[1]->args()[0].subgraph();
        QVERIFY(operationsIn(forward).contains(u"aten.addmm.default"_s));
        QVERIFY(!operationsIn(backward).contains(u"aten.addmm.default"_s));
        QVERIFY(operationsIn(backward).contains(u"aten.tanh_backward.default"_s));
        QVERIFY(forward.outputs().size() > 2);  // the carried tensor, the result of the step, and what is saved
        for (const Argument& over : *calls[1]->args()[2].list()) QCOMPARE(q(over.node()->op()), u"aten.flip.default"_s);
        QVERIFY(calls[1]->stage == Stage::backward);
        QCOMPARE(calls[1]->autograd.forward, calls[0]->id());
    }

    void backwardOfWhileLoopIsALoopOverItsSteps() {
        const auto record = opened(optionsFor(u"whileloop"_s))->record();
        const auto calls = higherOrderCalls(*record->graph(GraphKind::joint));
        QCOMPARE(calls.size(), std::size_t{2});
        QCOMPARE(q(calls[0]->op()), u"higher_order.while_loop_stack_output"_s);
        QCOMPARE(q(calls[1]->op()), u"higher_order.while_loop"_s);
        QCOMPARE((*calls[0]->type.tuple())[1].tensor()->sizes, (std::vector<std::int64_t>{3, 3, 4}));
        const Graph& backward = **calls[1]->args()[1].subgraph();
        QVERIFY(operationsIn(backward).contains(u"aten.tanh_backward.default"_s));
    }

    /// The branches take a size as an operand, and compute it from those of their tensors.
    void sizesInSubgraphsAreSymbols() {
        const auto session = opened(optionsFor(u"dynamiccond"_s));
        const auto record = session->record();
        QVERIFY2(!record->symbols.empty(), record->warnings.empty() ? "" : record->warnings.front().c_str());
        const auto calls = higherOrderCalls(*record->graph(GraphKind::joint));
        for (const auto& branch : subgraphsOf(*calls[0])) {
            QVERIFY(branch->placeholders()[0]->type.tensor()->symbolic);
            QVERIFY(operationsIn(*branch).contains(u"aten.sym_size.int"_s));
        }
        QVERIFY(session->check({}).ok);  // at other sizes, too
    }

    /// The number of steps is part of the graph, so a guard looks at it.
    void stepsOfADifferentiatedWhileLoopAreGuarded() {
        const auto record = opened(optionsFor(u"whiledata"_s))->record();
        QCOMPARE(record->guards.size(), std::size_t{1});
        QVERIFY2(q(record->guards[0].text).contains(u"while_loop_stack_output"_s),
                 qPrintable(q(record->guards[0].text)));
    }
};

AOTSCOPE_TEST(TestHigherOrder)

}  // namespace aotscope::test::higher_order_test

#include "test_higher_order.moc"
