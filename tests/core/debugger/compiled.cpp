// Stepping through graphs that other compilers than the interpreter run.

#include "debugged_programs.h"
#include "test_debugger.h"

#include "ops/meaningless.h"
#include "ops/op_table.h"

using namespace aotscope;
using namespace aotscope::test;

namespace {

Options with(const std::string& compiler, std::map<std::string, std::string> settings = {}) {
    Options options{.compilers = {.forward = compiler, .settings = std::move(settings)}};
    if (compiler == "broken") options.compilers.plugins = {PLUGIN_BROKEN};
    if (compiler == "counting") options.compilers.plugins = {PLUGIN_COUNTING};
    return options;
}

const std::string kBrokenSilently = "broken: shows nothing", kBrokenNowhere = "broken: changes nothing";

Options optionsOf(const QString& row) {
    const std::string name = row.toStdString();
    if (name == kBrokenSilently) return with("broken", {{"broken.at", "no.such.op"}, {"broken.shows", "nothing"}});
    if (name == kBrokenNowhere) return with("broken", {{"broken.at", "no.such.op"}});
    return with(name);
}

void addCompilers() {
    QTest::addColumn<QString>("sampleName");
    for (const char* sampleName : {"mlp", "gpt2-tiny"})
        for (const std::string& compiler : {std::string("fused"), std::string("torchscript"), std::string("counting"),
                                            kBrokenNowhere, kBrokenSilently})
            QTest::newRow((compiler + ", " + sampleName).c_str()) << QString::fromLatin1(sampleName);
}
QString compilerOfRow() { return QString::fromLatin1(QTest::currentDataTag()).section(u", "_s, 0, 0); }

bool isClose(const ValueFacts& a, const ValueFacts& b) {
    const auto near = [](double x, double y) { return std::abs(x - y) <= 1e-4 * std::max(1.0, std::abs(x)); };
    return a.type == b.type && near(a.mean, b.mean) && near(a.max, b.max) && near(a.min, b.min);
}

/// Nodes whose values differ from those in `expected`; nodes without a value have a reason.
QStringList differing(const Debugger& run, const Debugger& expected, const CompileRecord& record) {
    QStringList names;
    for (const GraphKind kind : {GraphKind::forward, GraphKind::backward})
        for (const Node* node : record.graph(kind)->nodes()) {
            if (node->kind() == NodeKind::output || isMeaningless(*node)) continue;
            const auto value = run.value(kind, node->id()), other = expected.value(kind, node->id());
            if (!value && other) {
                const std::string why = whyNoValue(run.steps(), run.position(), *record.graph(kind), kind, *node);
                if (why.find(" kernel ") == why.npos && why.find("no value") == why.npos)
                    names << q(node->name() + ": " + why);
            } else if (value && other && !isClose(*value, *other)) {
                names << q(node->name() + ": " + describe(*value) + ", not " + describe(*other));
            }
        }
    return names;
}

}  // namespace

void TestDebugger::graphsOfOtherCompilers_data() { addCompilers(); }
void TestDebugger::graphsOfOtherCompilers() {
    QFETCH(QString, sampleName);
    const auto session = sample(sampleName.toLatin1(), optionsOf(compilerOfRow()));
    const auto plain = sample(sampleName.toLatin1());
    const auto run = session->debug({}), expected = plain->debug({});
    expected->run({});
    const CompileRecord& record = *session->record();
    run->run({});
    QCOMPARE(q(run->lastStop().text), u"the run has ended"_s);
    QCOMPARE(differing(*run, *expected, record).join(u'\n'), QString());
    QCOMPARE(run->state().notes.empty(), compilerOfRow() != q(kBrokenSilently));
    // Back and forth again.
    const std::size_t steps = run->steps().size();
    for (std::size_t i = 0; i < steps; ++i) run->stepBack();
    QCOMPARE(run->position().step, std::size_t(0));
    QCOMPARE(run->position().graph, GraphKind::forward);
    QVERIFY(!run->value(GraphKind::forward, run->steps()[0].node));
    run->run({});
    QCOMPARE(differing(*run, *expected, record).join(u'\n'), QString());
    run->restart();
    run->compareWithEager({});
    run->run({});
    QVERIFY2(run->lastStop().text.starts_with("the run has ended: no difference from eager in "),
             run->lastStop().text.c_str());
}

void TestDebugger::kernelsAreOneStep() {
    const auto session = sample("gpt2-tiny", with("fused"));
    const auto run = session->debug({});
    const auto compilers = session->compilers({});
    std::size_t groups = 0, inside = 0, inGroups = 0;
    for (const CompilerUse& use : compilers) {
        groups += use.groups.size();
        for (const auto& group : use.groups) inGroups += group.size();
    }
    std::optional<DebugStep> kernel;
    for (const DebugStep& step : run->steps()) {
        inside += step.inside.size();
        if (!kernel && !step.inside.empty()) kernel = step;
    }
    QVERIFY(kernel && inside > 0 && inside + groups <= inGroups);
    const auto graph = session->record()->graph(kernel->graph);
    const Node& inner = *graph->findById(kernel->inside.front());
    run->runTo(kernel->graph, inner.id(), {});
    QCOMPARE(run->position().node, kernel->node);
    run->step({});
    QVERIFY2(run->lastStop().text.find(" in one kernel, was executed") != std::string::npos,
             run->lastStop().text.c_str());
    QVERIFY(!run->value(kernel->graph, inner.id()));
    QVERIFY(run->value(kernel->graph, kernel->node).has_value());
    const std::string why = whyNoValue(run->steps(), run->position(), *graph, kernel->graph, inner);
    QCOMPARE(q(why), q("computed in one kernel with %" + graph->findById(kernel->node)->name() +
                       ", which keeps no value of it"));
    QVERIFY(errorOf([&] { run->edit(kernel->graph, inner.id(), "1"); }).contains(q(why)));
    run->restart();
    run->setBreakpoints({{"graph=" + std::string(name(kernel->graph)) + " and name=" + inner.name()}});
    run->run({});
    QCOMPARE(run->lastStop().reason, Reason::breakpoint);
    QCOMPARE(run->lastStop().node, inner.id());
    QCOMPARE(run->position().node, kernel->node);
}

void TestDebugger::faultsOfCompilersAreFound_data() {
    columns<QString, QString, QString, QString>("how", "op", "by", "shows");
    const auto row = [](const char* how, const char* op, const char* by, const char* shows) {
        QTest::newRow(qPrintable(
            u"%1 %2 %3 %4"_s.arg(QLatin1String(how), QLatin1String(op), QLatin1String(by), QLatin1String(shows))))
            << QString::fromLatin1(how) << QString::fromLatin1(op) << QString::fromLatin1(by)
            << QString::fromLatin1(shows);
    };
    row("value", "aten.relu.default", "0.01", "all");
    row("value", "aten.relu.default", "nan", "nothing");
    row("value", "aten.threshold_backward.default", "6e-5", "nothing");
    row("number", "aten.threshold_backward.default", "50", "all");
}
void TestDebugger::faultsOfCompilersAreFound() {
    FETCH(QString, how, op, by, shows);
    Options options = with("broken", {{"broken.how", how.toStdString()},
                                      {"broken.at", op.toStdString()},
                                      {"broken.by", by.toStdString()},
                                      {"broken.shows", shows.toStdString()}});
    options.model = "script:def f(x, w):\n    return torch.mm(x, w).relu() * 2";
    options.inputs = parseInputSpec(R"([{"shape": [4, 5], "requires_grad": true}, {"shape": [5, 3]}])", "inputs");
    const auto session = Session::open(options, {});
    QVERIFY(!session->check({}).ok);
    const BisectResult bisected = session->bisect({});
    QCOMPARE(bisected.pass, PassId::compile);
    QVERIFY2(q(bisected.op) == op, describe(bisected).c_str());
    const auto run = session->debug({});
    run->compareWithEager({});
    run->run({});
    QVERIFY2(run->lastStop().reason == Reason::difference, run->lastStop().text.c_str());
    QCOMPARE(q(session->record()->graph(run->lastStop().graph)->findById(run->lastStop().node)->name()),
             q(bisected.nodeName));
    QVERIFY(bisected.graph == run->lastStop().graph);
}

void TestDebugger::editsOfOtherCompilers_data() { addCompilers(); }
void TestDebugger::editsOfOtherCompilers() {
    QFETCH(QString, sampleName);
    const auto session = sample(sampleName.toLatin1(), optionsOf(compilerOfRow()));
    const auto plain = sample(sampleName.toLatin1());
    const CompileRecord& record = *session->record();
    const auto run = session->debug({}), expected = plain->debug({});
    const Node& input = *record.graph(GraphKind::forward)->placeholders()[0];
    const Node& call = callOf(record, GraphKind::forward, "aten.addmm.default");
    const Node& last = callOf(record, GraphKind::backward, "aten.mm.default");
    for (Debugger* each : {run.get(), expected.get()}) {
        editWhenThere(*each, GraphKind::forward, input.id(), "0.5", {});
        editWhenThere(*each, GraphKind::forward, call.id(), "[0, 1] = 3", {});
        editWhenThere(*each, GraphKind::backward, last.id(), "0.25", {});
        each->run({});
    }
    QCOMPARE(differing(*run, *expected, record).join(u'\n'), QString());
    // Going back before an edit drops it.
    for (Debugger* each : {run.get(), expected.get()}) {
        each->runTo(GraphKind::forward, call.id(), {});
        each->run({});
    }
    QCOMPARE(differing(*run, *expected, record).join(u'\n'), QString());
}

void TestDebugger::interpretersInPlaceOfCompilersAreNamed() {
    const auto session = sample("mlp", with("broken", {{"broken.how", "sizes"}}));
    const auto notes = session->debug({})->state().notes;
    QCOMPARE(notes.size(), std::size_t(2));
    QVERIFY2(notes[0].starts_with("the interpreter runs the forward graph, for broken returned"), notes[0].c_str());
    Options options = with("broken", {{"broken.how", "value"}});
    const auto whole = sample("mlp", options)->debug({});
    QVERIFY(!whole->state().notes.empty());
}

void TestDebugger::breakpointsThatCannotStopAreNamed() {
    const auto run = sample("mlp")->debug({});
    run->setBreakpoints(
        {{"op:relu"}, {"op:no_such and absmax>1"}, {"not has_nan"}, {"op:conv", 1, false}, {"name=primals_1"}});
    const auto notes = run->state().notes;
    QCOMPARE(notes.size(), std::size_t(2));
    QCOMPARE(q(notes[0]),
             u"breakpoint 'op:no_such and absmax>1' cannot stop the run: it matches no operation of the graphs"_s);
    QVERIFY(notes[1].starts_with("breakpoint 'name=primals_1' cannot stop"));
    run->setBreakpoints({});
    QVERIFY(run->state().notes.empty());
    run->runToNotFinite({});
    QVERIFY2(QRegularExpression(u"^the run has ended: no NaN or infinity was found in \\d+ values$"_s)
                 .match(q(run->lastStop().text))
                 .hasMatch(),
             run->lastStop().text.c_str());
}
