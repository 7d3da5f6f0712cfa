// The step debugger: values of a run that is stepped through, going back, conditions, edits, comparisons, and
// statistics of values.

#include "aten/random_state.h"
#include "debug/edit_value.h"
#include "debug/measure.h"
#include "debug/step_debugger.h"
#include "ops/decomposition_table.h"
#include "session/session.h"
#include "support/programs.h"
#include "support/text.h"
#include "verify/graph_values.h"
#include "verify/observed_run.h"
#include "verify/reference_values.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <QtTest>

#include <cmath>
#include <limits>
#include <numeric>

using namespace aotscope;
using namespace aotscope::test;

namespace {

using Reason = DebugStop::Reason;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();

/// As text, in which NaNs are equal.
std::string textOf(const std::optional<ValueFacts>& facts) {
    if (!facts) return "none";
    std::string text = describe(*facts) + " |";
    for (const double x : facts->first) text += " " + numberText(x);
    text += " |";
    for (const auto n : facts->histogram) text += " " + std::to_string(n);
    return text;
}

/// Every value of a run, by graph and node.
using Values = std::map<std::pair<GraphKind, std::string>, std::string>;

Values valuesOf(const Debugger& run, const CompileRecord& record) {
    Values values;
    for (const GraphKind kind : {GraphKind::forward, GraphKind::inference, GraphKind::backward})
        if (const auto graph = record.graph(kind))
            for (const Node* node : graph->nodes())
                if (node->kind() != NodeKind::output && !node->type.tuple() && !isUninitialized(*node))
                    values[{kind, node->name()}] = textOf(run.value(kind, node->id()));
    return values;
}

std::string difference(const Values& a, const Values& b) {
    for (const auto& [key, text] : a)
        if (b.at(key) != text) return "%" + key.second + ": " + text + " and " + b.at(key);
    return {};
}

std::shared_ptr<StepDebugger> debug(const Compiled& compiled) {
    if (!compiled.compilation.function) throw Error(compiled.record().error);
    const std::shared_ptr<const Workload> workload(std::shared_ptr<void>(), &compiled.workload);
    return std::make_shared<StepDebugger>(workload, compiled.compilation, compiled.options);
}

std::shared_ptr<const Session> sample(const char* name, Options options = {}) {
    options.model = std::string("sample:") + name;
    return Session::open(options, {});
}

const Node& nodeNamed(const CompileRecord& record, GraphKind kind, const char* name) {
    const Node* node = record.graph(kind)->findByName(name);
    if (!node) throw Error(std::string("no node ") + name + " in\n" + printGraph(*record.graph(kind)));
    return *node;
}

const Node& callOf(const CompileRecord& record, GraphKind kind, const char* op) {
    for (const Node* node : record.graph(kind)->nodes())
        if (node->isCall(op)) return *node;
    throw Error(std::string("no ") + op + " in\n" + printGraph(*record.graph(kind)));
}

ScriptModule unary(const std::string& body, Attributes attributes = {}) {
    return moduleFrom("def forward(self, x: Tensor) -> Tensor:\n    " + body, std::move(attributes));
}
const std::string kSquare = R"([{"shape":[3,3],"requires_grad":true}])", kPlain = R"([{"shape":[3,3]}])";

}  // namespace

class TestDebugger : public QObject {
    Q_OBJECT

    static void addPrograms() {
        QTest::addColumn<QString>("program");
        for (const ProgramText& program : programTexts()) QTest::newRow(program.name.c_str()) << q(program.name);
    }
    /// Null if the program cannot be compiled or runs without graphs.
    static std::optional<Compiled> compiledProgram(const QString& name, bool keepMutations = false) {
        const ProgramText& program = programText(name.toStdString());
        Options options;
        options.mode = program.mode;
        options.keepInputMutations = keepMutations;
        Compiled compiled = compile(program.module(), program.inputs, options);
        if (!compiled.compilation.function) return std::nullopt;
        return compiled;
    }

private Q_SLOTS:
    void initTestCase() { initializeTorch(); }

    // --- running ---

    void steppingComputesWhatTheInterpreterDoes_data() { addPrograms(); }
    void steppingComputesWhatTheInterpreterDoes() {
        QFETCH(QString, program);
        const auto compiled = compiledProgram(program);
        QVERIFY(compiled);
        const CompileRecord& record = compiled->record();
        Values expected;
        const auto run = [&](GraphKind kind, const std::vector<c10::IValue>& arguments) {
            return runGraph(*record.graph(kind), compiled->compilation.constants.working, arguments,
                            [&](const Node& node, const c10::IValue& value) {
                                if (!node.type.tuple() && !isUninitialized(node))
                                    expected[{kind, node.name()}] = textOf(factsOf(value));
                            });
        };
        const GraphArguments called = graphArguments(compiled->workload, compiled->compilation, compiled->options, {});
        const bool training = record.graph(GraphKind::forward) != nullptr;
        seedRandom(compiled->options.seed);
        const GraphRun ahead = run(training ? GraphKind::forward : GraphKind::inference, called.primals);
        if (training) {
            std::vector<c10::IValue> arguments;
            for (const std::size_t i : savedOutputs(*record.graph(GraphKind::forward)))
                arguments.push_back(ahead.outputs[i]);
            arguments.insert(arguments.end(), called.tangents.begin(), called.tangents.end());
            run(GraphKind::backward, arguments);
        }
        const auto debugger = debug(*compiled);
        std::size_t steps = 0;
        for (; !debugger->position().ended(); ++steps) {
            const DebugPosition before = debugger->position();
            debugger->step({});
            QVERIFY(debugger->lastStop().reason == Reason::stepped || debugger->lastStop().reason == Reason::ended ||
                    debugger->position().ended());
            QCOMPARE(debugger->lastStop().node, before.node);
            QCOMPARE(debugger->lastStop().graph, before.graph);
        }
        const Values actual = valuesOf(*debugger, record);
        for (const auto& [key, text] : expected)
            QVERIFY2(actual.at(key) == text, (key.second + ": " + actual.at(key) + " and " + text).c_str());
    }

    void goingBackAndForthGivesTheSameValues_data() { addPrograms(); }
    void goingBackAndForthGivesTheSameValues() {
        QFETCH(QString, program);
        for (const bool keepMutations : {false, true}) {
            const auto compiled = compiledProgram(program, keepMutations);
            QVERIFY(compiled);
            const auto debugger = debug(*compiled);
            const Values atFirst = valuesOf(*debugger, compiled->record());
            debugger->run({});
            QCOMPARE(debugger->lastStop().reason, Reason::ended);
            const Values atEnd = valuesOf(*debugger, compiled->record());
            std::vector<DebugPosition> passed;
            while (debugger->position().step > 0 || debugger->position().graph == GraphKind::backward) {
                const DebugPosition before = debugger->position();
                debugger->stepBack();
                if (debugger->position().graph == before.graph && debugger->position().step == before.step) break;
                passed.push_back(debugger->position());
            }
            const auto count = compiled->record().graph(GraphKind::backward)
                                   ? debugger->position().steps + compiled->function().backward().steps().size()
                                   : debugger->position().steps;
            QCOMPARE(passed.size(), count);
            QCOMPARE(q(difference(atFirst, valuesOf(*debugger, compiled->record()))), QString());
            debugger->run({});
            QCOMPARE(q(difference(atEnd, valuesOf(*debugger, compiled->record()))), QString());
            debugger->restart();
            QCOMPARE(q(difference(atFirst, valuesOf(*debugger, compiled->record()))), QString());
            debugger->run({});
            QCOMPARE(q(difference(atEnd, valuesOf(*debugger, compiled->record()))), QString());
        }
    }

    void randomNumbersAreDrawnAgain() {
        const auto session = sample("gpt2-tiny");
        const auto debugger = session->debug({});
        debugger->setBreakpoints({{"random", 2, true}});
        debugger->run({});
        QCOMPARE(debugger->lastStop().reason, Reason::breakpoint);
        const NodeId node = debugger->lastStop().node;
        debugger->setBreakpoints({});
        debugger->step({});
        const std::string first = textOf(debugger->value(GraphKind::forward, node));
        debugger->step({});
        for (int i = 0; i < 3; ++i) debugger->stepBack();
        QCOMPARE(q(textOf(debugger->value(GraphKind::forward, node))), QStringLiteral("none"));
        session->check({});  // leaves the generator elsewhere
        debugger->run({});
        QCOMPARE(q(textOf(debugger->value(GraphKind::forward, node))), q(first));
    }

    /// Random numbers drawn while a debugger is open are the same as without one.
    void theRngStateIsUnaffected() {
        const auto session = sample("gpt2-tiny");
        seedRandom(3);
        const at::Tensor expected = at::randn({4});
        seedRandom(3);
        const auto debugger = session->debug({});
        debugger->compareWithEager({});
        debugger->run({});
        debugger->stepBack();
        debugger->restart();
        QVERIFY(at::randn({4}).equal(expected));
    }

    void mutatedInputsKeepWhatTheyWere() {
        Options options;
        options.keepInputMutations = true;
        const Compiled compiled = compile(unary("x.mul_(2)\n    return x.sin()"), kPlain, options);
        const auto graph = compiled.record().graph(GraphKind::inference);
        const Node& copy = callOf(compiled.record(), GraphKind::inference, "aten.copy_.default");
        const auto debugger = debug(compiled);
        const NodeId x = graph->placeholders()[0]->id();
        const std::string before = textOf(debugger->value(GraphKind::inference, x));
        debugger->run({});
        QCOMPARE(q(textOf(debugger->value(GraphKind::inference, x))), q(before));
        const std::string after = textOf(debugger->value(GraphKind::inference, copy.id()));
        QVERIFY(after != before);
        debugger->runTo(GraphKind::inference, copy.id(), {});
        QVERIFY(!debugger->value(GraphKind::inference, copy.id()));
        debugger->run({});
        QCOMPARE(q(textOf(debugger->value(GraphKind::inference, copy.id()))), q(after));
    }

    void modulesAreSteppedOver() {
        const auto session = sample("gpt2-tiny");
        const auto graph = session->record()->graph(GraphKind::forward);
        const auto debugger = session->debug({});
        const auto moduleOf = [&](NodeId id) {
            const Node* node = graph->findById(id);
            return node && node->source ? node->source->module : std::string();
        };
        const Node* inside = nullptr;
        for (const Node* node : graph->nodes())
            if (!inside && node->isCall("aten.native_layer_norm.default")) inside = node;
        QVERIFY(inside && inside->source && !inside->source->module.empty());
        debugger->runTo(GraphKind::forward, inside->id(), {});
        QCOMPARE(debugger->position().node, inside->id());
        const std::size_t before = debugger->position().step;
        debugger->stepOverModule({});
        QCOMPARE(debugger->lastStop().reason, Reason::reached);
        QVERIFY(debugger->position().step > before);
        QVERIFY(moduleOf(debugger->position().node) != inside->source->module);
        debugger->stepBack();
        QCOMPARE(q(moduleOf(debugger->position().node)), q(inside->source->module));
    }

    void aRunCanBeCancelled() {
        const auto session = sample("mlp");
        const auto debugger = session->debug({});
        debugger->step({});
        Progress progress;
        progress.cancel();
        QVERIFY_EXCEPTION_THROWN(debugger->run(progress), Cancelled);
        QCOMPARE(debugger->position().step, std::size_t{1});
        QVERIFY(debugger->lastStop().text.find("stopped") != std::string::npos);
        debugger->run({});
        QCOMPARE(debugger->lastStop().reason, Reason::ended);
    }

    void itOutlivesItsSession() {
        auto session = sample("mlp");
        const auto debugger = session->debug({});
        session.reset();
        debugger->compareWithEager({});
        debugger->run({});
        QCOMPARE(q(debugger->lastStop().text), QStringLiteral("the run has ended"));
    }

    // --- conditions ---

    void conditions_data() {
        QTest::addColumn<QString>("condition");
        QTest::addColumn<int>("hits");
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
    void conditions() {
        QFETCH(QString, condition);
        QFETCH(int, hits);
        QFETCH(QString, node);
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
        QVERIFY(q(debugger->lastStop().text).contains(QStringLiteral("'%1'").arg(condition)));
        QCOMPARE(debugger->value(GraphKind::inference, expected.id()).has_value(), computed);
        QCOMPARE(debugger->position().node == expected.id(), !computed);
        const std::size_t step = debugger->position().step;
        debugger->run({});  // not at the same place again
        QVERIFY(debugger->position().step > step);
    }

    void badConditionsAreRefused() {
        const auto debugger = sample("mlp")->debug({});
        debugger->setBreakpoints({{"op:mm", 1, true}});
        QVERIFY(errorOf([&] {
                    debugger->setBreakpoints({{"absmax>>3", 1, true}});
                }).contains(QStringLiteral("number")));
        QVERIFY(errorOf([&] { debugger->setBreakpoints({{"has_nan", 0, true}}); }).contains(QStringLiteral("hit 0")));
        QCOMPARE(debugger->breakpoints().size(), std::size_t{1});
        // Searches cannot use values.
        QVERIFY(errorOf([] { Query::parse("absmax>3"); }).contains(QStringLiteral("keyword")));
    }

    // --- edits ---

    void editsChangeWhatFollowsAsInEager() {
        const Compiled compiled = compile(
            unary("return (x * self.w).sin().exp()", {ModuleBuilder::parameter("w", learned({3, 3}))}), kSquare);
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

        const auto leaves = compiled.workload.arguments(true).leaves;
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

    void editedValues_data() {
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
                                     << "one number behind" << real;
    }
    void editedValues() {
        QFETCH(QString, text);
        QFETCH(QString, result);
        QFETCH(int, type);
        const at::Tensor zeros = at::zeros({2, 2}, static_cast<at::ScalarType>(type));
        std::string found;
        const QString error = errorOf([&] {
            for (const double x : factsOf(editedValue(zeros, text.toStdString(), "%x")).first)
                found += (found.empty() ? "" : " ") + numberText(x);
        });
        if (!error.isEmpty()) {
            QVERIFY2(error.contains(result) && error.contains(QStringLiteral("%x")), qPrintable(error));
            return;
        }
        QCOMPARE(q(found).replace(QStringLiteral("-nan"), QStringLiteral("nan")), result);
        QCOMPARE(zeros.count_nonzero().item<int64_t>(), 0);
    }

    void editedValuesKeepTheirStrides() {
        const at::Tensor t = at::arange(6, at::kFloat).view({2, 3}).t();
        const at::Tensor edited = editedValue(t, "[1, 0] = 7", "%x").toTensor();
        QCOMPARE(edited.strides().vec(), t.strides().vec());
        QCOMPARE(edited[1][0].item<float>(), 7.F);
        QCOMPARE(edited[1][1].item<float>(), 4.F);
        const at::Tensor expanded = editedValue(at::zeros({1, 2}).expand({3, 2}), "[1, 1] = 7", "%x").toTensor();
        QCOMPARE(expanded.count_nonzero().item<int64_t>(), 1);
        QCOMPARE(editedValue(c10::IValue(3), "5", "%n").toInt(), 5);
        QVERIFY(errorOf([] { editedValue(c10::IValue(3), "0.5", "%n"); }).contains(QStringLiteral("integers")));
        QVERIFY(errorOf([] { editedValue(at::zeros({2}), "1e300", "%x"); }).contains(QStringLiteral("can hold")));
        QVERIFY(errorOf([] { editedValue(c10::IValue(), "0.5", "%n"); }).contains(QStringLiteral("neither")));
    }

    void nodesWithoutAValueCannotBeEdited() {
        const auto session = sample("mlp");
        const auto debugger = session->debug({});
        const Node& relu = nodeNamed(*session->record(), GraphKind::forward, "relu");
        QVERIFY(errorOf([&] {
                    debugger->edit(GraphKind::forward, relu.id(), "1");
                }).contains(QStringLiteral("%relu has no value yet")));
        QVERIFY(errorOf([&] { debugger->edit(GraphKind::joint, relu.id(), "1"); }).contains(QStringLiteral("joint")));
        QVERIFY(errorOf([&] { debugger->runTo(GraphKind::forward, 12345, {}); }).contains(QStringLiteral("12345")));
    }

    void aFailingKernelIsAStop() {
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

    // --- wrong values ---

    void theFirstNaNIsFound() {
        const auto session = sample("mlp");
        const auto backward = session->record()->graph(GraphKind::backward);
        const auto debugger = session->debug({});
        debugger->runToNotFinite({});
        QCOMPARE(debugger->lastStop().reason, Reason::ended);
        const Node* planted = nullptr;
        for (const Node* node : backward->nodes())
            if (!planted && node->kind() == NodeKind::call && node->type.tensor() &&
                node->type.tensor()->sizes.size() == 2)
                planted = node;
        debugger->edit(GraphKind::backward, planted->id(), "[0, 1] = nan");
        debugger->runToNotFinite({});
        QCOMPARE(debugger->lastStop().reason, Reason::notFinite);
        QCOMPARE(debugger->lastStop().node, planted->id());
        QCOMPARE(debugger->lastStop().graph, GraphKind::backward);
        debugger->runToNotFinite({});  // all others come from it
        QCOMPARE(debugger->lastStop().reason, Reason::ended);
    }

    void aNaNIsFoundAtItsOrigin() {
        // Softmax makes NaNs of the first row, which is all -inf; sin passes them on.
        const Compiled compiled =
            compile(unary("return torch.softmax(x.masked_fill(x < 3, -float('inf')), 1).sin() * x"),
                    R"([{"shape":[3,3],"pattern":[1,9,0,1],"requires_grad":true}])");
        const auto debugger = debug(compiled);
        debugger->runToNotFinite({});
        QCOMPARE(debugger->lastStop().reason, Reason::notFinite);
        const Node& softmax = callOf(compiled.record(), GraphKind::forward, "aten._softmax.default");
        QCOMPARE(debugger->lastStop().node, softmax.id());
        debugger->runToNotFinite({});
        QCOMPARE(q(debugger->lastStop().text), QStringLiteral("the run has ended"));
    }

    void anInfinityIsFoundAtItsOrigin() {
        const Compiled compiled =
            compile(unary("return (x + 1).log().exp().neg().sin()"), R"([{"shape":[4],"pattern":[1,4,-1,1]}])");
        const auto debugger = debug(compiled);
        debugger->runToNotFinite({});
        QCOMPARE(debugger->lastStop().node, callOf(compiled.record(), GraphKind::inference, "aten.log.default").id());
        QVERIFY(debugger->lastStop().text.find("an infinity") != std::string::npos);
        debugger->runToNotFinite({});
        QCOMPARE(debugger->lastStop().reason, Reason::ended);
    }

    void valuesAreThoseOfEager_data() {
        QTest::addColumn<bool>("inference");
        for (const char* name : {"sincos", "mlp", "aliasing", "mutations", "gpt2-tiny", "bert-tiny", "resnet18"})
            for (const bool inference : {false, true})
                QTest::addRow("%s%s", name, inference ? ", inference" : "") << inference;
    }
    void valuesAreThoseOfEager() {
        QFETCH(bool, inference);
        Options options;
        options.inference = inference;
        const QString name = QString::fromUtf8(QTest::currentDataTag()).section(u',', 0, 0);
        const auto debugger = sample(qPrintable(name), options)->debug({});
        debugger->compareWithEager({});
        QVERIFY(debugger->comparing());
        debugger->run({});
        QVERIFY2(debugger->lastStop().reason == Reason::ended, debugger->lastStop().text.c_str());
    }

    void aWrongOperationIsFound() {
        const auto fault = [](PassId pass, GraphKind kind, Graph& graph) {
            if (pass != PassId::deadCode || kind != GraphKind::joint) return;
            Node* cos = nullptr;
            for (Node* node : graph.nodes())
                if (node->isCall("aten.cos.default")) cos = node;
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
        debugger->run({});  // what is there already is compared, too
        QCOMPARE(debugger->lastStop().reason, Reason::difference);
        QVERIFY2(debugger->lastStop().text.find("eager has") != std::string::npos, debugger->lastStop().text.c_str());
        QCOMPARE(debugger->lastStop().graph, GraphKind::backward);
    }

    void aPlantedValueDiffersFromEager() {
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
        debugger->stopComparing();
        debugger->run({});
        QCOMPARE(debugger->lastStop().reason, Reason::ended);
    }

    void partitionsAreCompared() {
        Options standard;
        standard.partition.algorithm = PartitionAlgorithm::defaultPartition;
        const auto session = sample("gpt2-tiny"), other = sample("gpt2-tiny", standard);
        const auto debugger = session->debug({});
        debugger->compareWith(*other->debug({}), {});
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

    void decomposedGraphsAreCompared() {
        Options decomposed;
        decomposed.decompositions = DecompositionTable::load("core-aten");
        const auto debugger = sample("gpt2-tiny", decomposed)->debug({});
        debugger->compareWithEager({});
        debugger->run({});
        QVERIFY2(debugger->lastStop().reason == Reason::ended, debugger->lastStop().text.c_str());
        // Without random numbers: the table draws them differently.
        const auto mlp = sample("mlp", decomposed)->debug({});
        mlp->compareWith(*sample("mlp")->debug({}), {});
        mlp->run({});
        QVERIFY2(mlp->lastStop().reason == Reason::ended, mlp->lastStop().text.c_str());
    }

    void printedGraphsCannotBeRun() {
        Options options;
        options.model = AOTSCOPE_SOURCE_DIR "/tests/data/printed/mlp.log";
        const auto session = Session::open(options, {});
        QCOMPARE(errorOf([&] { session->debug({}); }), q(session->whyNotExecutable()));
    }

    // --- facts ---

    void facts_data() {
        QTest::addColumn<QString>("expected");
        QTest::newRow("f32") << "f32[4]: 4 elements from -1 to 2, mean 0.5, deviation 1.29099 | -1 0 1 2 | 0";
        QTest::newRow("f16") << "f16[4]: 4 elements from -1 to 2, mean 0.5, deviation 1.29099 | -1 0 1 2 | 0";
        QTest::newRow("bf16") << "bf16[4]: 4 elements from -1 to 2, mean 0.5, deviation 1.29099 | -1 0 1 2 | 0";
        QTest::newRow("i8") << "i8[4]: 4 elements from -1 to 2, mean 0.5, deviation 1.29099 | -1 0 1 2 | 1 1 1 1";
        QTest::newRow("b8") << "b8[4]: 4 elements from 0 to 1, mean 0.75, deviation 0.5 | 1 0 1 1 | 1 3";
        QTest::newRow("c64") << "c64[4]: 4 absolute values from 0 to 2, mean 1, deviation 0.816497 | 1 0 1 2 | 0";
        QTest::newRow("scalar") << "f32[]: 1 element from 3 to 3, mean 3, deviation 0 | 3 | 1";
        QTest::newRow("empty") << "f32[0, 3]: 0 elements | |";
        QTest::newRow("some NaN")
            << "f32[4]: 4 elements from 1 to 2, mean 1.5, deviation 0.707107, 1 NaN, 1 infinite | "
               "nan 1 -inf 2 | 0";
        QTest::newRow("all NaN") << "f32[2]: 2 elements, 2 NaNs | nan nan |";
        QTest::newRow("large")
            << "f32[2]: 2 elements from -3e+38 to 3e+38, mean 0, deviation 4.24264e+38 | -3e+38 3e+38 | 0";
        QTest::newRow("int") << "int: 7 | 7 | 1";
        QTest::newRow("none") << "None | |";
    }
    void facts() {
        QFETCH(QString, expected);
        const at::Tensor t = at::arange(-1, 3, at::kFloat);
        const std::map<std::string, c10::IValue> values = {{"f32", t},
                                                           {"f16", t.to(at::kHalf)},
                                                           {"bf16", t.to(at::kBFloat16)},
                                                           {"i8", t.to(at::kChar)},
                                                           {"b8", t.to(at::kBool)},
                                                           {"c64", at::complex(at::zeros({4}), t)},
                                                           {"scalar", at::full({}, 3, at::kFloat)},
                                                           {"empty", at::zeros({0, 3})},
                                                           {"some NaN", at::tensor({kNaN, 1., -kInf, 2.}, at::kFloat)},
                                                           {"all NaN", at::full({2}, kNaN, at::kFloat)},
                                                           {"large", at::tensor({-3e38, 3e38}, at::kFloat)},
                                                           {"int", 7},
                                                           {"none", {}}};
        const ValueFacts facts = factsOf(values.at(QTest::currentDataTag()));
        std::string text = textOf(facts);
        const std::int64_t counted = std::accumulate(facts.histogram.begin(), facts.histogram.end(), std::int64_t{0});
        QCOMPARE(counted, facts.elements - facts.nans - facts.infs);
        if (expected.endsWith(QStringLiteral("| 0"))) text = text.substr(0, text.rfind('|')) + "| 0";
        if (facts.histogram.empty()) text = QString::fromStdString(text).trimmed().toStdString();
        QCOMPARE(q(text).replace(QStringLiteral("-nan"), QStringLiteral("nan")), expected);
    }

    void factsOfRandomTensorsAreThoseOfTorch() {
        const at::Tensor t = at::randn({50, 3, 7}).transpose(0, 2);
        const ValueFacts facts = factsOf(t);
        QCOMPARE(facts.sizes, (std::vector<std::int64_t>{7, 3, 50}));
        QVERIFY(std::abs(facts.mean - t.mean().item<double>()) < 1e-6);
        QVERIFY(std::abs(facts.deviation - t.std().item<double>()) < 1e-6);
        QCOMPARE(facts.min, t.min().item<double>());
        QCOMPARE(facts.absMax, t.abs().max().item<double>());
        QCOMPARE(facts.first.size(), std::size_t{64});
        const at::Tensor flat = t.reshape({-1});
        for (int i = 0; i < 64; ++i) QCOMPARE(facts.first[static_cast<std::size_t>(i)], flat[i].item<double>());
    }

    void imagesAreTheLastTwoDimensions() {
        const at::Tensor t = at::arange(24, at::kFloat).view({2, 3, 4});
        const auto image = imageOf(t, {1});
        QVERIFY(image && image->rows == 3 && image->columns == 4);
        for (std::size_t i = 0; i < 12; ++i) QCOMPARE(image->cells[i], 12.0 + static_cast<double>(i));
        QCOMPARE(imageOf(t, {})->cells[0], 0.0);
        QVERIFY(!imageOf(at::zeros({3}), {}) && !imageOf(at::zeros({3, 0}), {}) && !imageOf(c10::IValue(3), {}));
        QVERIFY(errorOf([&] { (void)imageOf(t, {2}); }).contains(QStringLiteral("no index 2 in dimension 0")));
        at::Tensor large = at::ones({512, 1000});
        large[511][999] = kNaN;
        const auto averaged = imageOf(large, {});
        QVERIFY(averaged->rows == 256 && averaged->columns == 256);
        QVERIFY(std::isnan(averaged->cells.back()));
        QCOMPARE(averaged->cells.front(), 1.0);
        QCOMPARE(std::count_if(averaged->cells.begin(), averaged->cells.end(), [](double x) { return std::isnan(x); }),
                 1);
    }
};

QTEST_MAIN(TestDebugger)
#include "test_debugger.moc"
