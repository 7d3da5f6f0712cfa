// Stepping through runs: values, going back, modules, cancelling.

#include "test_debugger.h"
#include "debugged_programs.h"
#include "support/test_program.h"

#include "aten/random_state.h"
#include "debug/step_debugger.h"
#include "support/text.h"
#include "verify/judge/graph_values.h"
#include "verify/judge/reference_values.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/randn.h>

using namespace aotscope;
using namespace aotscope::test;

namespace {

Values valuesOf(const Debugger& run, const CompileRecord& record) {
    Values values;
    for (const GraphKind kind : {GraphKind::forward, GraphKind::inference, GraphKind::backward})
        if (const auto graph = record.graph(kind))
            for (const Node* node : graph->nodes())
                if (node->kind() != NodeKind::output && !node->type.tuple() && !isMeaningless(*node))
                    values[{kind, node->name()}] = textOf(run.value(kind, node->id()));
    return values;
}

}  // namespace

void TestDebugger::addPrograms() {
    QTest::addColumn<QString>("program");
    for (const ProgramText& program : programTexts()) QTest::newRow(program.name.c_str()) << q(program.name);
}

std::optional<Compiled> TestDebugger::compiledProgram(const QString& name, bool keepMutations) {
    const ProgramText& program = programText(name.toStdString());
    Compiled compiled =
        compile(program.module(), program.inputs, {.mode = program.mode, .keepInputMutations = keepMutations});
    if (!compiled.compilation.function) return std::nullopt;
    return compiled;
}

// --- running ---

void TestDebugger::steppingComputesWhatTheInterpreterDoes_data() { addPrograms(); }
void TestDebugger::steppingComputesWhatTheInterpreterDoes() {
    QFETCH(QString, program);
    const auto compiled = compiledProgram(program);
    QVERIFY(compiled);
    const CompileRecord& record = compiled->record();
    Values expected;
    const auto run = [&](GraphKind kind, const std::vector<c10::IValue>& arguments) {
        return runGraph(*record.graph(kind), compiled->compilation.constants.working, arguments,
                        [&](const Node& node, const c10::IValue& value) {
                            if (!node.type.tuple() && !isMeaningless(node))
                                expected[{kind, node.name()}] = textOf(factsOf(value));
                        });
    };
    const GraphArguments called = graphArguments(compiled->modelRun, compiled->compilation, compiled->options, {});
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
    const std::vector<DebugStep> listed = debugger->steps();
    std::size_t steps = 0;
    for (; !debugger->position().ended(); ++steps) {
        const DebugPosition before = debugger->position();
        QVERIFY(steps < listed.size() && listed[steps].graph == before.graph && listed[steps].index == before.step &&
                listed[steps].node == before.node);
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

void TestDebugger::goingBackAndForthGivesTheSameValues_data() { addPrograms(); }
void TestDebugger::goingBackAndForthGivesTheSameValues() {
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

void TestDebugger::randomNumbersAreDrawnAgain() {
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
    QCOMPARE(q(textOf(debugger->value(GraphKind::forward, node))), u"none"_s);
    session->check({});  // leaves the generator in another state
    debugger->run({});
    QCOMPARE(q(textOf(debugger->value(GraphKind::forward, node))), q(first));
}

/// Random numbers drawn while a debugger is open are the same as without one.
void TestDebugger::theRngStateIsUnaffected() {
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

void TestDebugger::mutatedInputsKeepWhatTheyWere() {
    const Compiled compiled = compile(unary("x.mul_(2)\n    return x.sin()"), kPlain, {.keepInputMutations = true});
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

void TestDebugger::modulesAreSteppedOver() {
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
    debugger->execute({.verb = DebugVerb::stepOverModule}, {});
    QCOMPARE(debugger->lastStop().reason, Reason::reached);
    QVERIFY(debugger->position().step > before);
    QVERIFY(moduleOf(debugger->position().node) != inside->source->module);
    debugger->stepBack();
    QCOMPARE(q(moduleOf(debugger->position().node)), q(inside->source->module));
}

void TestDebugger::aRunCanBeCancelled() {
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

void TestDebugger::itOutlivesItsSession() {
    auto session = sample("mlp");
    const auto debugger = session->debug({});
    session.reset();
    debugger->compareWithEager({});
    debugger->run({});
    QCOMPARE(q(debugger->lastStop().text), u"the run has ended: no difference from eager in 45 values"_s);
}

AOTSCOPE_TEST(TestDebugger)
#include "test_debugger.moc"
