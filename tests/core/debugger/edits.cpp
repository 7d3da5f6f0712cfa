// Conditions that stop the debugger, and edits of values.

#include "debugged_programs.h"
#include "test_debugger.h"

#include "debug/edit_value.h"
#include "debug/measure.h"
#include "support/text.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

using namespace aotscope;
using namespace aotscope::test;

namespace {

const Node& nodeNamed(const CompileRecord& record, GraphKind kind, const char* name) {
    const Node* node = record.graph(kind)->findByName(name);
    if (!node) throw Error(std::string("no node ") + name + " in\n" + printGraph(*record.graph(kind)));
    return *node;
}

}  // namespace

// --- conditions ---

void TestDebugger::conditions_data() {
    columns<QString, int>("condition", "hits");
    QTest::addColumn<QString>("node");  // of the forward of x.exp().mul(100).neg().tanh()
    QTest::addColumn<bool>("computed");
    QTest::newRow("operation") << "op:neg" << 1 << "neg" << false;
    QTest::newRow("first operation") << "op:exp" << 1 << "exp" << false;
    QTest::newRow("second hit") << "call" << 2 << "mul" << false;
    QTest::newRow("large") << "absmax>50" << 1 << "mul" << true;
    QTest::newRow("large, second hit") << "absmax>50" << 2 << "neg" << true;
    QTest::newRow("small") << "min<-50" << 1 << "neg" << true;
    QTest::newRow("both") << "absmax>50 and op:neg" << 1 << "neg" << true;
    QTest::newRow("mean") << "mean<-0.9" << 1 << "neg" << true;
    QTest::newRow("either") << "max>50 or op:exp" << 1 << "exp" << true;
    QTest::newRow("none") << "has_nan" << 1 << "" << false;
}
void TestDebugger::conditions() {
    FETCH(QString, condition, node);
    QFETCH(int, hits);
    QFETCH(bool, computed);
    const Compiled compiled = compile(unary("return x.exp().mul(100).neg().tanh()"), kPlain);
    const auto debugger = debug(compiled);
    debugger->setBreakpoints({{condition.toStdString(), hits, true}, {"call", 1, false}});
    debugger->run({});
    if (node.isEmpty()) {
        QCOMPARE(debugger->lastStop().reason, Reason::ended);
        return;
    }
    QCOMPARE(debugger->lastStop().reason, Reason::breakpoint);
    const Node& expected = nodeNamed(compiled.record(), GraphKind::inference, qPrintable(node));
    QCOMPARE(debugger->lastStop().node, expected.id());
    QVERIFY(q(debugger->lastStop().text).contains(u"'%1'"_s.arg(condition)));
    QCOMPARE(debugger->value(GraphKind::inference, expected.id()).has_value(), computed);
    QCOMPARE(debugger->position().node == expected.id(), !computed);
    QCOMPARE(debugger->state().hits, (std::vector<int>{hits, 0}));
    debugger->setBreakpoints({{"op:tanh", 1, false}, {condition.toStdString(), hits, true}});
    QCOMPARE(debugger->state().hits, (std::vector<int>{0, hits}));
    const std::size_t step = debugger->position().step;
    debugger->run({});  // not at the same place again
    QVERIFY(debugger->position().step > step);
}

void TestDebugger::badConditionsAreRefused() {
    const auto debugger = sample("mlp")->debug({});
    debugger->setBreakpoints({{"op:mm", 1, true}});
    QVERIFY(errorOf([&] { debugger->setBreakpoints({{"absmax>>3", 1, true}}); }).contains(u"number"_s));
    QVERIFY(errorOf([&] {
                debugger->setBreakpoints({{"has_nan", 0, true}});
            }).contains(u"hit count of at least 1, found 0"_s));
    QCOMPARE(debugger->state().breakpoints.size(), std::size_t{1});
    // Searches cannot use values.
    QVERIFY(errorOf([] { Query::parse("absmax>3"); }).contains(u"keyword"_s));
}

// --- edits ---

void TestDebugger::editsChangeWhatFollowsAsInEager() {
    const Compiled compiled =
        compile(unary("return (x * self.w).sin().exp()", {ModuleBuilder::parameter("w", learned({3, 3}))}), kSquare);
    const CompileRecord& record = compiled.record();
    const auto debugger = debug(compiled);
    const auto forward = record.graph(GraphKind::forward), backward = record.graph(GraphKind::backward);
    const Node* x = nullptr;
    for (const Node* input : forward->placeholders())
        if (input->role == Role::userInput) x = input;
    const Node& exp = callOf(record, GraphKind::forward, "aten.exp.default");
    debugger->run({});
    debugger->edit(GraphKind::forward, x->id(), "[0, 1] = 5");
    debugger->edit(GraphKind::forward, x->id(), "[2, 2] = -1.5");
    QCOMPARE(debugger->position().step, std::size_t{0});
    QCOMPARE(debugger->position().graph, GraphKind::forward);
    QVERIFY(!debugger->value(GraphKind::forward, exp.id()));
    debugger->run({});

    const auto leaves = compiled.modelRun.arguments(true).leaves;
    const at::Tensor w = leaves[0].toTensor(), input = leaves[1].toTensor();
    {
        const at::NoGradGuard noGrad;
        input[0][1] = 5;
        input[2][2] = -1.5;
    }
    const at::Tensor out = (input * w).sin().exp();
    QCOMPARE(q(textOf(debugger->value(GraphKind::forward, exp.id()))), q(textOf(factsOf(out.detach()))));
    out.backward(standardTangent(out, 0));
    for (std::size_t i = 0; i < backward->outputs().size(); ++i) {
        const at::Tensor gradient = backward->outputSlots()[i].label == "w" ? w.grad() : input.grad();
        QCOMPARE(q(textOf(debugger->value(GraphKind::backward, backward->outputs()[i].node()->id()))),
                 q(textOf(factsOf(gradient))));
    }
    // An edited intermediate value leaves earlier values as they are.
    const Node& sin = callOf(record, GraphKind::forward, "aten.sin.default");
    debugger->edit(GraphKind::forward, sin.id(), "0");
    QCOMPARE(debugger->position().node, exp.id());
    debugger->step({});
    QCOMPARE(q(describe(*debugger->value(GraphKind::forward, exp.id()))), q(describe(factsOf(at::ones({3, 3})))));
    // A restart undoes all edits; going back undoes edits of values that are computed later.
    debugger->stepBack();
    debugger->stepBack();
    debugger->step({});
    QVERIFY(debugger->value(GraphKind::forward, sin.id())->max > 0);
    debugger->restart();
    QVERIFY(debugger->value(GraphKind::forward, x->id())->max < 5);
}

void TestDebugger::editedValues_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("result");  // of a tensor of sizes [2, 2]
    QTest::addColumn<int>("type");
    const int real = static_cast<int>(at::kFloat), whole = static_cast<int>(at::kLong),
              truth = static_cast<int>(at::kBool);
    QTest::newRow("all") << "2.5"
                         << "2.5 2.5 2.5 2.5" << real;
    QTest::newRow("each") << "1, 2, 3 nan"
                          << "1 2 3 nan" << real;
    QTest::newRow("as printed") << "[[1, 2], [3, -inf]]"
                                << "1 2 3 -inf" << real;
    QTest::newRow("one") << "[1, 0] = 1e3"
                         << "0 0 1000 0" << real;
    QTest::newRow("half") << "0.5"
                          << "0.5 0.5 0.5 0.5" << static_cast<int>(at::kBFloat16);
    QTest::newRow("complex") << "[0,1]=2"
                             << "0 2 0 0" << static_cast<int>(at::kComplexFloat);
    QTest::newRow("integers") << "1 2 3 4"
                              << "1 2 3 4" << whole;
    QTest::newRow("truth") << "true"
                           << "1 1 1 1" << truth;
    QTest::newRow("no number") << "abc"
                               << "numbers" << real;
    QTest::newRow("too few") << "1 2"
                             << "one number or 4" << real;
    QTest::newRow("nothing") << ""
                             << "one number or 4" << real;
    QTest::newRow("no integer") << "1.5"
                                << "integers" << whole;
    QTest::newRow("no integer either") << "nan"
                                       << "integers" << whole;
    QTest::newRow("no truth") << "2"
                              << "true or false" << truth;
    QTest::newRow("outside") << "[2, 0] = 1"
                             << "an index from 0 to 1 in dimension 0" << real;
    QTest::newRow("no index") << "[0.5, 0] = 1"
                              << "an index from 0 to 1 in dimension 0" << real;
    QTest::newRow("one index") << "[1] = 1"
                               << "2 indices" << real;
    QTest::newRow("two numbers") << "[1, 1] = 1 2"
                                 << "one number after" << real;
}
void TestDebugger::editedValues() {
    FETCH(QString, text, result);
    QFETCH(int, type);
    const at::Tensor zeros = at::zeros({2, 2}, static_cast<at::ScalarType>(type));
    std::string found;
    const QString error = errorOf([&] {
        for (const double x : factsOf(editedValue(zeros, text.toStdString(), "%x")).first)
            found += (found.empty() ? "" : " ") + numberText(x);
    });
    if (!error.isEmpty()) {
        QVERIFY2(error.contains(result) && error.contains(u"%x"_s), qPrintable(error));
        return;
    }
    QCOMPARE(q(found).replace(u"-nan"_s, u"nan"_s), result);
    QCOMPARE(zeros.count_nonzero().item<int64_t>(), 0);
}

void TestDebugger::editedValuesKeepTheirStrides() {
    const at::Tensor t = at::arange(6, at::kFloat).view({2, 3}).t();
    const at::Tensor edited = editedValue(t, "[1, 0] = 7", "%x").toTensor();
    QCOMPARE(edited.strides().vec(), t.strides().vec());
    QCOMPARE(edited[1][0].item<float>(), 7.F);
    QCOMPARE(edited[1][1].item<float>(), 4.F);
    const at::Tensor expanded = editedValue(at::zeros({1, 2}).expand({3, 2}), "[1, 1] = 7", "%x").toTensor();
    QCOMPARE(expanded.count_nonzero().item<int64_t>(), 1);
    QCOMPARE(editedValue(c10::IValue(3), "5", "%n").toInt(), 5);
    QVERIFY(errorOf([] { editedValue(c10::IValue(3), "0.5", "%n"); }).contains(u"integers"_s));
    QVERIFY(errorOf([] { editedValue(at::zeros({2}), "1e300", "%x"); }).contains(u"can hold"_s));
    QVERIFY(errorOf([] { editedValue(c10::IValue(), "0.5", "%n"); }).contains(u"neither"_s));
}

void TestDebugger::nodesWithoutAValueCannotBeEdited() {
    const auto session = sample("mlp");
    const auto debugger = session->debug({});
    const Node& relu = nodeNamed(*session->record(), GraphKind::forward, "relu");
    QVERIFY(errorOf([&] { debugger->edit(GraphKind::forward, relu.id(), "1"); }).contains(u"%relu has no value yet"_s));
    QVERIFY(errorOf([&] { debugger->edit(GraphKind::joint, relu.id(), "1"); }).contains(u"joint"_s));
    QVERIFY(errorOf([&] { debugger->runTo(GraphKind::forward, 12345, {}); }).contains(u"12345"_s));
}

void TestDebugger::aFailingKernelIsAStop() {
    const Compiled compiled = compile(
        moduleFrom("def forward(self, index: Tensor) -> Tensor:\n    return torch.embedding(self.w, index).sin()",
                   {ModuleBuilder::parameter("w", learned({10, 4}))}),
        R"([{"shape":[2,3],"dtype":"int64","fill":{"randint":[0,10]}}])");
    const auto debugger = debug(compiled);
    const Node* index = nullptr;
    for (const Node* input : compiled.record().graph(GraphKind::forward)->placeholders())
        if (input->role == Role::userInput) index = input;
    debugger->edit(GraphKind::forward, index->id(), "[0, 0] = 1000");
    debugger->run({});
    QCOMPARE(debugger->lastStop().reason, Reason::failed);
    QVERIFY2(debugger->lastStop().text.find("embedding") != std::string::npos, debugger->lastStop().text.c_str());
    QVERIFY(debugger->lastStop().text.find('\n') == std::string::npos);
    QCOMPARE(debugger->position().node, debugger->lastStop().node);
    debugger->edit(GraphKind::forward, index->id(), "[0, 0] = 3");
    debugger->run({});
    QCOMPARE(debugger->lastStop().reason, Reason::ended);
}
