// NaNs, infinities, and values that differ from eager or from another run.

#include "debugged_programs.h"
#include "test_debugger.h"

#include "ops/decompositions/decomposition_table.h"
#include "support/text.h"

#include <ATen/ops/tensor.h>

using namespace aotscope;
using namespace aotscope::test;

void TestDebugger::theFirstNaNIsFound() {
    const auto session = sample("mlp");
    const auto backward = session->record()->graph(GraphKind::backward);
    const auto debugger = session->debug({});
    debugger->runToNotFinite({});
    QCOMPARE(debugger->lastStop().reason, Reason::ended);
    const Node* planted = nullptr;
    for (const Node* node : backward->nodes())
        if (!planted && node->kind() == NodeKind::call && node->type.tensor() && node->type.tensor()->sizes.size() == 2)
            planted = node;
    debugger->edit(GraphKind::backward, planted->id(), "[0, 1] = nan");
    debugger->runToNotFinite({});
    QCOMPARE(debugger->lastStop().reason, Reason::notFinite);
    QCOMPARE(debugger->lastStop().node, planted->id());
    QCOMPARE(debugger->lastStop().graph, GraphKind::backward);
    debugger->runToNotFinite({});  // all others come from it
    QCOMPARE(debugger->lastStop().reason, Reason::ended);
}

void TestDebugger::aNaNIsFoundAtItsOrigin() {
    // Softmax makes NaNs of the first row, which is all -inf; sin passes them on.
    const Compiled compiled = compile(unary("return torch.softmax(x.masked_fill(x < 3, -float('inf')), 1).sin() * x"),
                                      R"([{"shape":[3,3],"pattern":[1,9,0,1],"requires_grad":true}])");
    const auto debugger = debug(compiled);
    debugger->runToNotFinite({});
    QCOMPARE(debugger->lastStop().reason, Reason::notFinite);
    const Node& softmax = callOf(compiled.record(), GraphKind::forward, "aten._softmax.default");
    QCOMPARE(debugger->lastStop().node, softmax.id());
    debugger->runToNotFinite({});
    QCOMPARE(q(debugger->lastStop().text), u"the run has ended: no other NaN or infinity arises in 18 values"_s);
}

void TestDebugger::anInfinityIsFoundAtItsOrigin() {
    const Compiled compiled =
        compile(unary("return (x + 1).log().exp().neg().sin()"), R"([{"shape":[4],"pattern":[1,4,-1,1]}])");
    const auto debugger = debug(compiled);
    debugger->runToNotFinite({});
    QCOMPARE(debugger->lastStop().node, callOf(compiled.record(), GraphKind::inference, "aten.log.default").id());
    QVERIFY(debugger->lastStop().text.find("an infinity") != std::string::npos);
    debugger->runToNotFinite({});
    QCOMPARE(debugger->lastStop().reason, Reason::ended);
}

void TestDebugger::aFindingAsPython() {
    // The logarithm of the element [5, 2], and an exponential that overflows: each on one element.
    const Compiled compiled =
        compile(unary("y = (x - 42.).abs().log()\n    return y.exp() + (x * 20.).expm1().sum(1, True)"),
                R"([{"shape":[8,8],"pattern":[1,64,0,1]}])");
    const auto debugger = debug(compiled);
    const Node& log = callOf(compiled.record(), GraphKind::inference, "aten.log.default");
    QCOMPARE(debugger->callAsPython(GraphKind::inference, log.id(), {}), std::string());  // not executed yet
    debugger->runToNotFinite({});
    QCOMPARE(debugger->lastStop().node, log.id());
    const QString text = q(debugger->callAsPython(GraphKind::inference, log.id(), {}));
    QCOMPARE(text,
             u"# the operation by itself, on the parts of its operands that matter\n"
             "import torch\nfrom torch import device, inf, nan\n\n"
             "abs = torch.tensor([0.0], dtype=torch.float32).view((1, 1))\n"
             "print(torch.ops.aten.log.default(abs))\n"_s);
    debugger->runToNotFinite({});
    const Node& exp = callOf(compiled.record(), GraphKind::inference, "aten.expm1.default");
    QCOMPARE(debugger->lastStop().node, exp.id());
    QVERIFY(q(debugger->callAsPython(GraphKind::inference, exp.id(), {})).contains(u".view((1, 1))\n"_s));
    debugger->runToNotFinite({});
    QCOMPARE(debugger->lastStop().reason, Reason::ended);
    // Finite values: all of the operands; an input is not an operation.
    const Node& difference = callOf(compiled.record(), GraphKind::inference, "aten.sub.Tensor");
    const QString whole = q(debugger->callAsPython(GraphKind::inference, difference.id(), {}));
    QVERIFY2(whole.startsWith(u"# the operation by itself\n"_s) && whole.contains(u"8, 8"_s), qPrintable(whole));
    const Node* input = compiled.record().graph(GraphKind::inference)->placeholders().front();
    QCOMPARE(debugger->callAsPython(GraphKind::inference, input->id(), {}), std::string());
}

void TestDebugger::valuesAreThoseOfEager_data() {
    QTest::addColumn<bool>("inference");
    for (const char* name : {"sincos", "mlp", "aliasing", "mutations", "gpt2-tiny", "bert-tiny", "resnet18"})
        for (const bool inference : {false, true})
            QTest::addRow("%s%s", name, inference ? ", inference" : "") << inference;
}
void TestDebugger::valuesAreThoseOfEager() {
    QFETCH(bool, inference);
    const Options options{.inference = inference};
    const QString name = QString::fromUtf8(QTest::currentDataTag()).section(u',', 0, 0);
    const auto debugger = sample(qPrintable(name), options)->debug({});
    debugger->compareWithEager({});
    QVERIFY(debugger->state().comparing);
    debugger->run({});
    QVERIFY2(debugger->lastStop().reason == Reason::ended, debugger->lastStop().text.c_str());
}

void TestDebugger::aWrongOperationIsFound() {
    const auto fault = [](PassId pass, GraphKind kind, Graph& graph) {
        if (pass != PassId::deadCode || kind != GraphKind::joint) return;
        Node* cos = nullptr;
        for (Node* node : graph.nodes())
            if (node->isCall("aten.cos.default")) cos = node;
        if (!cos) return;
        Node* sin = graph.addCall("aten.sin.default", cos->args(), {}, cos->type);
        sin->stage = cos->stage;
        graph.replaceAllUses(cos, sin);
        std::vector<Node*> order;
        for (Node* node : graph.nodes())
            if (node != sin) order.push_back(node), node == cos ? order.push_back(sin) : void();
        graph.reorder(order);
        graph.eraseIf([&](const Node* node) { return node == cos; });
    };
    const Compiled compiled = compile(unary("return x.sin().exp() * 2"), kSquare, {}, fault);
    const auto debugger = debug(compiled);
    debugger->run({});
    QCOMPARE(debugger->lastStop().reason, Reason::ended);
    debugger->compareWithEager({});
    debugger->run({});  // values that exist already are compared, too
    QCOMPARE(debugger->lastStop().reason, Reason::difference);
    QVERIFY2(debugger->lastStop().text.find("eager has") != std::string::npos, debugger->lastStop().text.c_str());
    QCOMPARE(debugger->lastStop().graph, GraphKind::backward);
}

void TestDebugger::aPlantedValueDiffersFromEager() {
    const auto session = sample("mlp");
    const auto debugger = session->debug({});
    debugger->run({});
    debugger->compareWithEager({});
    const auto backward = session->record()->graph(GraphKind::backward);
    const Node* saved = nullptr;
    for (const Node* input : backward->placeholders())
        if (const Node* made = session->record()->graph(GraphKind::forward)->findById(input->id());
            made && made->isCall("aten.relu.default"))
            saved = input;
    QVERIFY(saved);
    debugger->edit(GraphKind::backward, saved->id(), "[0, 0] = 100");
    debugger->run({});
    QCOMPARE(debugger->lastStop().reason, Reason::difference);
    QCOMPARE(debugger->lastStop().node, saved->id());
    debugger->execute({.verb = DebugVerb::stopComparing}, {});
    debugger->run({});
    QCOMPARE(debugger->lastStop().reason, Reason::ended);
}

void TestDebugger::partitionsAreCompared() {
    const Options standard{.partition = {.algorithm = PartitionAlgorithm::defaultPartition}};
    const auto session = sample("gpt2-tiny"), other = sample("gpt2-tiny", standard);
    const auto debugger = session->debug({});
    debugger->execute({.verb = DebugVerb::compareWith, .other = other->debug({})}, {});
    debugger->run({});
    QVERIFY2(debugger->lastStop().reason == Reason::ended, debugger->lastStop().text.c_str());
    const auto backward = session->record()->graph(GraphKind::backward);
    const Node& mm = callOf(*session->record(), GraphKind::backward, "aten.mm.default");
    debugger->edit(GraphKind::backward, mm.id(), "[0, 0] = 7");
    debugger->run({});
    QCOMPARE(debugger->lastStop().node, mm.id());
    QVERIFY2(debugger->lastStop().text.find("the other run has") != std::string::npos,
             debugger->lastStop().text.c_str());
}

void TestDebugger::decomposedGraphsAreCompared() {
    const Options decomposed{.decompositions = DecompositionTable::load("core-aten")};
    const auto debugger = sample("gpt2-tiny", decomposed)->debug({});
    debugger->compareWithEager({});
    debugger->run({});
    QVERIFY2(debugger->lastStop().reason == Reason::ended, debugger->lastStop().text.c_str());
    // Without random numbers: the table draws them differently.
    const auto mlp = sample("mlp", decomposed)->debug({});
    mlp->execute({.verb = DebugVerb::compareWith, .other = sample("mlp")->debug({})}, {});
    mlp->run({});
    QVERIFY2(mlp->lastStop().reason == Reason::ended, mlp->lastStop().text.c_str());
}

void TestDebugger::printedGraphsCannotBeRun() {
    const auto session = Session::open({.model = AOTSCOPE_SOURCE_DIR "/tests/data/printed/mlp.log"}, {});
    QCOMPARE(errorOf([&] { session->debug({}); }), q(session->whyNotExecutable()));
}
