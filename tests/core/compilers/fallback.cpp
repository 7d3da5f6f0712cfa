// The interpreter runs graphs on which another compiler fails.

#include "compiled_calls.h"
#include "test_compilers.h"

#include "aten/random_state.h"
#include "compile/compilers.h"
#include "compile/supervised_graph.h"
#include "session/session.h"
#include "support/models.h"
#include "support/text.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>

using namespace aotscope;
using namespace aotscope::test;

namespace {

CompilerChoice broken(const char* how) {
    return {.forward = "broken", .settings = {{"broken.how", how}}, .plugins = {PLUGIN_BROKEN}};
}

SupervisedGraph supervised(const CompilerChoice& choice, const char* text) {
    return {makeCompiler(choice.forward, choice), GraphKind::forward, parseSound(text), {}};
}

}  // namespace

void TestCompilers::interpreterIsTheFallback_data() {
    const auto row = columns<QString, QString>("how", "note");
    row("compile", "cannot compile it: no such instruction");
    row("run", "fails: the device is on fire");
    row("count", "returned 1 value, expected 2");
    row("sizes", "returned f32[1, 4] for %b, expected f32[4]");
    row("dtype", "returned f64[4] for %b, expected f32[4]");
}
void TestCompilers::interpreterIsTheFallback() {
    FETCH(QString, how, note);
    const auto graph = supervised(broken(qPrintable(how)),
                                  "graph forward\n%x : f32[4] = placeholder\n%b : f32[4] = aten.sin.default(%x)\n"
                                  "%c : f32[4] = aten.cos.default(%b)\nreturn [%b, %c]");
    const at::Tensor x = at::arange(4, at::kFloat);
    for (int run = 0; run < 2; ++run) {
        Values args = arguments({x});
        const Values results = graph.run(args);
        QCOMPARE(results.size(), std::size_t(2));
        QVERIFY(at::equal(results[1].toTensor(), x.sin().cos()));
        QCOMPARE(graph.steps().size(), std::size_t(2));
    }
    const CompilerUse expected{GraphKind::forward,
                               "broken",
                               "interpreter",
                               "the interpreter runs the forward graph, for broken " + note.toStdString(),
                               {}};
    QCOMPARE(q(graph.use().note), q(expected.note));
    QVERIFY(graph.use() == expected);
}

/// Writes and random draws of the failed run are undone.
void TestCompilers::fallbackStartsAfresh() {
    const auto graph =
        supervised(broken("count"),
                   "graph forward\n%x : f32[4] = placeholder\n%n : f32[4] = aten.rand_like.default(%x)\n"
                   "%a : f32[4] = aten.add.Tensor(%x, %n)\n%w : f32[4] = aten.copy_.default(%x, %a)\nreturn [%a, %n]");
    seedRandom(5);
    const at::Tensor x = at::ones({4}), expected = at::ones({4}) + x.clone().uniform_();
    seedRandom(5);
    Values args = arguments({x});
    QVERIFY(at::equal(only(graph.run(args)), expected));
    QVERIFY(at::equal(x, expected));
}

void TestCompilers::errorsOfTheModelAreNotTheCompilers() {
    const CompilerChoice choice{.forward = "torchscript"};
    const auto graph = supervised(choice,
                                  "graph forward\n%x : f32[4] = placeholder\n%i : i64[1] = placeholder\n"
                                  "%r : f32[1] = aten.index_select.default(%x, 0, %i)\nreturn [%r]");
    Values wrong = arguments({at::ones({4}), at::ones({1}, at::kLong) * 9});
    QVERIFY_EXCEPTION_THROWN(graph.run(wrong), std::exception);
    Values right = arguments({at::ones({4}), at::ones({1}, at::kLong)});
    graph.run(right);
    QCOMPARE(q(graph.use().used), u"torchscript"_s);
}

void TestCompilers::firstRunMayBeObserved() {
    const CompilerChoice choice{.forward = "torchscript"};
    const char* text =
        "graph forward\n%x : f32[4] = placeholder\n%n : f32[4] = aten.rand_like.default(%x)\n"
        "%a : f32[4] = aten.add.Tensor(%x, %n)\n%w : f32[4] = aten.copy_.default(%x, %a)\nreturn [%a]";
    const auto graph = supervised(choice, text), failing = supervised(broken("count"), text);
    seedRandom(5);
    const at::Tensor expected = at::ones({4}) + at::ones({4}).uniform_();
    for (const SupervisedGraph* each : {&graph, &failing}) {
        seedRandom(5);
        Protocol protocol;
        const at::Tensor x = at::ones({4});
        Values args = arguments({x});
        QVERIFY(at::equal(only(each->run(args, &protocol)), expected));
        QVERIFY(at::equal(x, expected));
        QCOMPARE(q(protocol.text), each == &graph ? u"args 1, 0:[4], 1:[4], 2:[4]"_s : u"args 1"_s);
    }
}

void TestCompilers::notesReachTheResults() {
    Options options{.model = "sample:mlp", .compilers = broken("sizes")};
    const auto session = Session::open(options, {});
    QCOMPARE(session->record()->compilers.size(), std::size_t(2));
    QCOMPARE(q(session->record()->compilers[0].used), u"broken"_s);
    const CheckResult check = session->check({});
    QVERIFY(check.ok);
    QCOMPARE(check.compilers.size(), std::size_t(2));
    for (const CompilerUse& use : check.compilers) {
        QCOMPARE(q(use.used), u"interpreter"_s);
        QVERIFY(use.note.find("broken returned f32[1, ") != std::string::npos);
    }
    QVERIFY(session->time({1}, {}).compilers == check.compilers);
    options.compilers = broken("compile");
    const auto uncompiled = Session::open(options, {});
    QVERIFY(!uncompiled->record()->compilers.at(0).note.empty());
    QVERIFY(uncompiled->record()->compilers.at(1).note.empty());
}

void TestCompilers::workspacesMayHaveAnySize() {
    const QString model = QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/torchscript/Recurrent");
    const Options options{.model = (model + u".pt"_s).toStdString(),
                          .inputs = parseInputSpec(contentOf(model + u".json"_s).toStdString(), "spec"),
                          .compilers = {.forward = "torchscript"}};
    const CheckResult check = Session::open(options, {})->check({});
    QVERIFY(check.ok);
    for (const CompilerUse& use : check.compilers) QCOMPARE(q(use.note), QString());
}

void TestCompilers::wrongValuesAreTracedToTheCompiler() {
    Options options{.model = "sample:mlp", .compilers = broken("value")};
    options.compilers.backward = "interpreter";
    const auto session = Session::open(options, {});
    QVERIFY(!session->check({}).ok);
    const BisectResult result = session->bisect({});
    QVERIFY(result.found);
    QCOMPARE(result.pass, PassId::compile);
    QVERIFY2(result.reason.find("broken, which runs the forward graph") != std::string::npos, result.reason.c_str());
}
