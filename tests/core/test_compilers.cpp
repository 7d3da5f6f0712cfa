// Compilers: which one runs which graph, what happens when one fails, plug-ins, and TorchScript.

#include "compile/compilers.h"
#include "compile/supervised_graph.h"
#include "compile/torchscript/torchscript.h"
#include "load/model.h"
#include "session/session.h"
#include "support/long_tests.h"
#include "support/models.h"
#include "support/programs.h"
#include "support/scratch.h"
#include "support/text.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <torch/csrc/jit/serialization/import.h>

#include <c10/core/CPUAllocator.h>

#include <dlfcn.h>
#include <QtTest>

using namespace aotscope;
using namespace aotscope::test;

namespace {

using Values = std::vector<c10::IValue>;

Values arguments(std::initializer_list<at::Tensor> tensors) { return Values(tensors.begin(), tensors.end()); }
at::Tensor only(const Values& outputs) { return outputs.at(0).toTensor(); }

CompilerChoice broken(const char* how) {
    CompilerChoice choice;
    choice.forward = "broken";
    choice.settings = {{"broken.how", how}};
    choice.plugins = {PLUGIN_BROKEN};
    return choice;
}

SupervisedGraph supervised(const CompilerChoice& choice, const char* text) {
    return {makeCompiler(choice.forward, choice), parseSound(text), {}};
}

std::shared_ptr<const CompiledGraph> torchScripted(const Graph& graph, const ConstantTable& constants = {}) {
    return makeTorchScript({{"freeze", "true"}})->compile(graph, constants);
}

/// What an observer sees, as text.
class Protocol final : public StepObserver {
public:
    void arguments(c10::ArrayRef<c10::IValue> args) override { text += "args " + std::to_string(args.size()); }
    void before(std::size_t step) override { text += ", " + std::to_string(step) + ":"; }
    void results(std::size_t, c10::ArrayRef<c10::IValue> values) override {
        for (const auto& value : values)
            text += value.isTensor() ? c10::str(value.toTensor().sizes()) : c10::str(value.toScalar());
    }
    void after(std::size_t) override {}
    std::string text;
};

}  // namespace

class TestCompilers : public QObject {
    Q_OBJECT

    Scratch scratch_;

private Q_SLOTS:
    void initTestCase() { initializeTorch(); }

    // --- names, settings, plug-ins ---

    void unknownNames_data() {
        QTest::addColumn<QString>("forward");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* forward, const char* key, const char* message) {
            QTest::newRow(message) << QString::fromLatin1(forward) << QString::fromLatin1(key)
                                   << QString::fromLatin1(message);
        };
        row("torchscrpt", "", "; did you mean 'torchscript'?");
        row("inductor", "", "there is no compiler 'inductor' (there are 'interpreter', 'torchscript'");
        row("interpreter", "interpreter.level=1", "the compiler 'interpreter' has no setting 'level', nor any other");
        row("interpreter", "torchscript.freez=true", "(there is 'freeze'); did you mean 'freeze'?");
        row("torchscript", "torchscript.freeze=maybe", "torchscript.freeze=maybe: one of 'true', 'false' is expected");
        row("torchscript", "nobody.freeze=true", "there is no compiler 'nobody'");
        row("torchscript", "torchscript=true", "has no setting ''");
    }
    void unknownNames() {
        QFETCH(QString, forward);
        QFETCH(QString, key);
        QFETCH(QString, message);
        CompilerChoice choice;
        choice.forward = forward.toStdString();
        if (!key.isEmpty()) choice.settings[key.section(u'=', 0, 0).toStdString()] = key.section(u'=', 1).toStdString();
        const QString error = errorOf([&] { checkCompilers(choice); });
        QVERIFY2(error.contains(message), qPrintable(error));
        QCOMPARE(errorOf([&] { makeCompiler(choice.forward, choice); }), error);
    }

    void everySettingAcceptsItsDefault() {
        for (const CompilerInfo& compiler : compilerList({PLUGIN_COUNTING})) {
            CompilerChoice choice;
            choice.forward = compiler.name;
            choice.plugins = {PLUGIN_COUNTING};
            for (const auto& setting : compiler.settings)
                choice.settings[compiler.name + "." + setting.name] = setting.standard;
            QCOMPARE(errorOf([&] { checkCompilers(choice); }), QString());
            QCOMPARE(makeCompiler(compiler.name, choice)->name(), compiler.name);
            QVERIFY(!compiler.help.empty());
        }
    }

    void otherFilesAreNotPlugins_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("message");
        Dl_info library{};
        QVERIFY(dladdr(reinterpret_cast<const void*>(&c10::GetCPUAllocator), &library) != 0);
        QTest::newRow("another") << QString::fromLocal8Bit(library.dli_fname)
                                 << QStringLiteral("it brings no compiler; a library with AOTSCOPE_COMPILER_PLUGIN");
        QTest::newRow("missing") << QStringLiteral("/no/such.so") << QStringLiteral("no such file; check the path");
        QTest::newRow("text") << QStringLiteral(AOTSCOPE_SOURCE_DIR "/README.md") << QStringLiteral("README.md");
        QTest::newRow("old") << QStringLiteral(PLUGIN_OLD)
                             << QStringLiteral("it is built for 'aotscope compilers 0, LibTorch 1.0.0'");
    }
    void otherFilesAreNotPlugins() {
        QFETCH(QString, file);
        QFETCH(QString, message);
        CompilerChoice choice;
        choice.plugins = {file.toStdString()};
        const QString error = errorOf([&] { checkCompilers(choice); });
        QVERIFY2(error.startsWith(QStringLiteral("plug-in '") + file + QStringLiteral("': ")), qPrintable(error));
        QVERIFY2(error.contains(message), qPrintable(error));
    }

    void namesAreUnique() {
        CompilerChoice choice;
        choice.plugins = {PLUGIN_COUNTING, PLUGIN_COUNTING};
        const QString error = errorOf([&] { checkCompilers(choice); });
        QVERIFY2(error.contains(QStringLiteral("'counting', which another one has")), qPrintable(error));
    }

    void pluginRunsTheGraphs() {
        const QString file = scratch_.at(QStringLiteral("runs.txt"));
        Options options;
        options.model = "sample:mlp";
        options.compilers.forward = "counting";
        options.compilers.backward = "interpreter";
        options.compilers.settings = {{"counting.file", file.toStdString()}};
        options.compilers.plugins = {PLUGIN_COUNTING};
        auto session = Session::open(options, {});
        QCOMPARE(q(session->record()->error), QString());
        QVERIFY(session->check({}).ok);
        QCOMPARE(contentOf(file), QByteArray("forward 1\n"));
        options.compilers.backward.clear();
        options.compilers.inference = "interpreter";
        session = Session::open(options, {});
        QVERIFY(session->check({}).ok);
        QCOMPARE(contentOf(file), QByteArray("forward 1\nforward 1\nbackward 1\n"));
        options.inference = true;
        QVERIFY(Session::open(options, {})->check({}).ok);
        QCOMPARE(contentOf(file), QByteArray("forward 1\nforward 1\nbackward 1\n"));
        options.compilers.inference.clear();
        QVERIFY(Session::open(options, {})->check({}).ok);
        QCOMPARE(contentOf(file), QByteArray("forward 1\nforward 1\nbackward 1\ninference 1\n"));
    }

    /// The groups of the backward appear when it is compiled: at its first run.
    void groupsAreThoseOfTheCompiler() {
        Options options;
        options.model = "sample:mlp";
        options.compilers.forward = "counting";
        options.compilers.settings = {{"counting.together", "2"}};
        options.compilers.plugins = {PLUGIN_COUNTING};
        const auto session = Session::open(options, {});
        const auto& compiled = session->record()->compilers;
        QVERIFY(compiled.at(0).groups.size() > 1 && compiled.at(1).groups.empty());
        const auto checked = session->check({}).compilers;
        QVERIFY(checked.at(0) == compiled.at(0));
        for (const CompilerUse& use : checked) {
            const GraphKind kind = *graphKindFromName(use.graph);
            QVERIFY(!use.groups.empty());
            for (const auto& group : use.groups)
                for (const NodeId node : group) {
                    QVERIFY(session->record()->graph(kind)->findById(node));
                    QVERIFY(groupOf(checked, kind, node) == group);
                    QVERIFY(!groupOf(checked, GraphKind::joint, node).empty());
                    QVERIFY(groupOf(checked, GraphKind::functional, node).empty());
                }
        }
    }

    // --- fallback ---

    void interpreterIsTheFallback_data() {
        QTest::addColumn<QString>("how");
        QTest::addColumn<QString>("note");
        const auto row = [](const char* how, const char* note) {
            QTest::newRow(how) << QString::fromLatin1(how) << QString::fromLatin1(note);
        };
        row("compile", "cannot compile it: no such instruction");
        row("run", "fails: the device is on fire");
        row("count", "returned 1 value where 2 are expected");
        row("sizes", "returned f32[1, 4] for %b, f32[4] is expected");
        row("dtype", "returned f64[4] for %b, f32[4] is expected");
    }
    void interpreterIsTheFallback() {
        QFETCH(QString, how);
        QFETCH(QString, note);
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
        const CompilerUse expected{"forward",
                                   "broken",
                                   "interpreter",
                                   "the interpreter runs the forward graph, for broken " + note.toStdString(),
                                   {}};
        QCOMPARE(q(graph.use().note), q(expected.note));
        QVERIFY(graph.use() == expected);
    }

    /// Writes and random draws of the failed run are undone.
    void fallbackStartsAfresh() {
        const auto graph = supervised(
            broken("count"),
            "graph forward\n%x : f32[4] = placeholder\n%n : f32[4] = aten.rand_like.default(%x)\n"
            "%a : f32[4] = aten.add.Tensor(%x, %n)\n%w : f32[4] = aten.copy_.default(%x, %a)\nreturn [%a, %n]");
        at::manual_seed(5);
        const at::Tensor x = at::ones({4}), expected = at::ones({4}) + x.clone().uniform_();
        at::manual_seed(5);
        Values args = arguments({x});
        QVERIFY(at::equal(only(graph.run(args)), expected));
        QVERIFY(at::equal(x, expected));
    }

    void errorsOfTheModelAreNotTheCompilers() {
        CompilerChoice choice;
        choice.forward = "torchscript";
        const auto graph = supervised(choice,
                                      "graph forward\n%x : f32[4] = placeholder\n%i : i64[1] = placeholder\n"
                                      "%r : f32[1] = aten.index_select.default(%x, 0, %i)\nreturn [%r]");
        Values wrong = arguments({at::ones({4}), at::ones({1}, at::kLong) * 9});
        QVERIFY_EXCEPTION_THROWN(graph.run(wrong), std::exception);
        Values right = arguments({at::ones({4}), at::ones({1}, at::kLong)});
        graph.run(right);
        QCOMPARE(q(graph.use().used), QStringLiteral("torchscript"));
    }

    void firstRunMayBeObserved() {
        CompilerChoice choice;
        choice.forward = "torchscript";
        const char* text =
            "graph forward\n%x : f32[4] = placeholder\n%n : f32[4] = aten.rand_like.default(%x)\n"
            "%a : f32[4] = aten.add.Tensor(%x, %n)\n%w : f32[4] = aten.copy_.default(%x, %a)\nreturn [%a]";
        const auto graph = supervised(choice, text), failing = supervised(broken("count"), text);
        at::manual_seed(5);
        const at::Tensor expected = at::ones({4}) + at::ones({4}).uniform_();
        for (const SupervisedGraph* each : {&graph, &failing}) {
            at::manual_seed(5);
            Protocol protocol;
            const at::Tensor x = at::ones({4});
            Values args = arguments({x});
            QVERIFY(at::equal(only(each->run(args, &protocol)), expected));
            QVERIFY(at::equal(x, expected));
            QCOMPARE(q(protocol.text),
                     each == &graph ? QStringLiteral("args 1, 0:[4], 1:[4], 2:[4]") : QStringLiteral("args 1"));
        }
    }

    void notesReachTheResults() {
        Options options;
        options.model = "sample:mlp";
        options.compilers = broken("sizes");
        const auto session = Session::open(options, {});
        QCOMPARE(session->record()->compilers.size(), std::size_t(2));
        QCOMPARE(q(session->record()->compilers[0].used), QStringLiteral("broken"));
        const CheckResult check = session->check({});
        QVERIFY(check.ok);
        QCOMPARE(check.compilers.size(), std::size_t(2));
        for (const CompilerUse& use : check.compilers) {
            QCOMPARE(q(use.used), QStringLiteral("interpreter"));
            QVERIFY(use.note.find("broken returned f32[1, ") != std::string::npos);
        }
        QVERIFY(session->time({1}, {}).compilers == check.compilers);
        options.compilers = broken("compile");
        const auto uncompiled = Session::open(options, {});
        QVERIFY(!uncompiled->record()->compilers.at(0).note.empty());
        QVERIFY(uncompiled->record()->compilers.at(1).note.empty());
    }

    void workspacesMayHaveAnySize() {
        const QString model = QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/torchscript/Recurrent");
        Options options;
        options.model = (model + QStringLiteral(".pt")).toStdString();
        options.inputs = parseInputSpec(contentOf(model + QStringLiteral(".json")).toStdString(), "spec");
        options.compilers.forward = "torchscript";
        const CheckResult check = Session::open(options, {})->check({});
        QVERIFY(check.ok);
        for (const CompilerUse& use : check.compilers) QCOMPARE(q(use.note), QString());
    }

    void wrongValuesAreTracedToTheCompiler() {
        Options options;
        options.model = "sample:mlp";
        options.compilers = broken("value");
        options.compilers.backward = "interpreter";
        const auto session = Session::open(options, {});
        QVERIFY(!session->check({}).ok);
        const BisectResult result = session->bisect({});
        QVERIFY(result.found);
        QCOMPARE(q(result.pass), QStringLiteral("compile"));
        QVERIFY2(result.reason.find("broken, which runs the forward graph") != std::string::npos,
                 result.reason.c_str());
    }

    // --- TorchScript ---

    void torchScriptCalls_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("result");
        const auto row = [](const char* name, const char* body, const char* result) {
            QTest::newRow(name) << body << result;
        };
        row("list", "%r : f32[8] = aten.cat.default([%x, %y])", "0 1 2 3 4 5 6 7");
        row("keywords", "%r : f32[4] = aten.add.Tensor(%x, %y, alpha=10)", "40 51 62 73");
        row("number for a tensor", "%r : f32[4] = aten.mul.Tensor(%x, 3)", "0 3 6 9");
        row("two results",
            "%m : (f32[], i64[]) = aten.max.dim(%x, 0)\n%v : f32[] = operator.getitem(%m, 0)\n"
            "%r : f32[4] = aten.add.Tensor(%x, %v)",
            "3 4 5 6");
        row("elements of a list result",
            "%s : (f32[2], f32[2]) = aten.split.Tensor(%x, 2)\n%a : f32[2] = operator.getitem(%s, 1)\n"
            "%b : f32[2] = operator.getitem(%s, 1)\n%r : f32[2] = aten.add.Tensor(%a, %b)",
            "4 6");
        row("optional tensors",
            "%z : f32[2, 2] = aten.view.default(%x, [2, 2])\n%i : i64[1] = aten.full.default([1], 1, "
            "dtype=torch.int64)\n%r : f32[2, 1] = aten.index.Tensor(%z, [None, %i])",
            "1 3");
        row("constant", "%c : f32[4] = constant(c)\n%r : f32[4] = aten.add.Tensor(%c, %x)", "100 101 102 103");
        row("dtype, device, layout",
            "%r : f64[4] = aten._to_copy.default(%x, dtype=torch.float64, layout=torch.strided, device=device(cpu))",
            "0 1 2 3");
        row("infinity", "%r : f32[4] = aten.clamp.default(%x, 2.0, inf)", "2 2 2 3");
        row("an operator of ours", "%r : f64[4] = prims.convert_element_type.default(%x, torch.float64)", "0 1 2 3");
        row("sizes",
            "%n : int(4) = aten.sym_size.int(%x, 0)\n%m : int(2) = operator.floordiv(%n, 2)\n"
            "%k : int(3) = operator.add(%m, 1)\n%r : f32[2, 2] = aten.view.default(%y, [%m, %m])",
            "4 5 6 7");
        row("power of a size",
            "%n : int(4) = aten.sym_size.int(%x, 0)\n%p : int(16) = operator.pow(%n, 2)\n"
            "%q : int(4) = operator.floordiv(%p, 4)\n%r : f32[4] = aten.view.default(%y, [%q])",
            "4 5 6 7");
        row("a size where a tensor is expected",
            "%n : int(4) = aten.sym_size.int(%x, 0)\n%r : f32[4] = aten.add.Tensor(%x, %n)", "4 5 6 7");
    }
    void torchScriptCalls() {
        QFETCH(QString, body);
        QFETCH(QString, result);
        const auto graph = parseSound("graph g\n%x : f32[4] = placeholder\n%y : f32[4] = placeholder\n" +
                                      body.toStdString() + "\nreturn [%r]");
        const ConstantTable constants = {{"c", at::ones({4}) * 100}};
        const auto values = [](const Values& results) {
            const at::Tensor r = only(results).to(at::kDouble).contiguous();
            QStringList text;
            for (int64_t i = 0; i < r.numel(); ++i) text << QString::number(r.const_data_ptr<double>()[i]);
            return text.join(u' ');
        };
        const at::Tensor x = at::arange(4, at::kFloat), y = at::arange(4, 8, at::kFloat);
        const auto compiled = torchScripted(*graph, constants);
        for (int run = 0; run < 2; ++run) {
            Values args = arguments({x, y});
            QCOMPARE(values(compiled->run(args)), result);
            QVERIFY(args.empty());
        }
        Protocol protocol;
        Values args = arguments({x, y});
        QCOMPARE(values(compiled->run(args, &protocol)), result);
        // Once more, from a file.
        const std::string file = scratch_.at(QStringLiteral("graph.pt")).toStdString();
        saveTorchScript(*graph, constants, file);
        QCOMPARE(values({torch::jit::load(file).forward({x, y})}), result);
        QVERIFY(torchScriptText(*graph, constants).find("# g:") != std::string::npos);
    }

    void torchScriptRefuses_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("message");
        QTest::newRow("number") << QStringLiteral(
                                       "%n : int(4) = aten.sym_size.int(%x, 0)\n%t : int(4) = "
                                       "operator.sym_ite(True, %n, %n)\n"
                                       "%r : f32[4] = aten.view.default(%x, [%t])")
                                << QStringLiteral("TorchScript has no operator for %t = operator.sym_ite");
        QTest::newRow("unknown") << QStringLiteral("%r : f32[4] = nowhere.nothing.default(%x)")
                                 << QStringLiteral("operation 'nowhere.nothing.default' is not known to LibTorch");
        QTest::newRow("constant") << QStringLiteral(
                                         "%c : f32[4] = constant(other)\n%r : f32[4] = "
                                         "aten.add.Tensor(%x, %c)")
                                  << QStringLiteral("the graph refers to the constant 'other'");
    }
    void torchScriptRefuses() {
        QFETCH(QString, body);
        QFETCH(QString, message);
        const auto graph = parseSound("graph g\n%x : f32[4] = placeholder\n" + body.toStdString() + "\nreturn [%r]");
        const QString error = errorOf([&] { torchScripted(*graph); });
        QVERIFY2(error.contains(message), qPrintable(error));
    }

    /// One step for each node; lists and numbers belong to the operation that uses or makes them.
    void torchScriptIsObservedByNode() {
        const auto graph = parseSound(
            "graph g\n%x : f32[4] = placeholder\n%n : int(4) = aten.sym_size.int(%x, 0)\n"
            "%s : (f32[2], f32[2]) = aten.split.Tensor(%x, 2)\n%a : f32[2] = operator.getitem(%s, 0)\n"
            "%c : f32[6] = aten.cat.default([%x, %a])\n%m : (f32[], i64[]) = aten.max.dim(%c, 0)\n"
            "%v : f32[] = operator.getitem(%m, 0)\nreturn [%v, %n]");
        const auto compiled = torchScripted(*graph);
        std::vector<NodeId> expected;
        for (const Node* node : graph->nodes())
            if (node->kind() == NodeKind::call && node->op() != "operator.getitem") expected.push_back(node->id());
        QCOMPARE(compiled->steps(), expected);
        Protocol protocol;
        Values args = arguments({at::ones({4})});
        compiled->run(args, &protocol);
        QCOMPARE(q(protocol.text), QStringLiteral("args 1, 0:4, 1:[2][2], 2:[6], 3:[][]"));
    }

    void valuesAreFreedAfterTheirLastUse() {
        class Watcher final : public StepObserver {
        public:
            explicit Watcher(const at::Tensor& t) : watched(t.getIntrusivePtr()) {}
            void before(std::size_t) override {}
            void after(std::size_t) override { alive += watched.expired() ? '-' : '+'; }
            c10::weak_intrusive_ptr<c10::TensorImpl> watched;
            std::string alive;
        };
        const auto compiled = torchScripted(
            *parseSound("graph g\n%x : f32[4] = placeholder\n%unused : f32[4] = placeholder\n"
                        "%a : f32[4] = aten.cumsum.default(%x, 0)\n%b : f32[4] = aten.mul.Tensor(%a, %x)\n"
                        "%c : f32[4] = aten.cumsum.default(%b, 0)\nreturn [%c]"));
        Values args = arguments({at::ones({4}), at::ones({4})});
        Watcher used(args[0].toTensor());
        compiled->run(args, &used);
        QCOMPARE(q(used.alive), QStringLiteral("+--"));
        args = arguments({at::ones({4}), at::ones({4})});
        Watcher unused(args[1].toTensor());
        compiled->run(args, &unused);
        QCOMPARE(q(unused.alive), QStringLiteral("---"));
    }

    /// Values that depend on constants alone are computed once, but outputs of the graph are new each time.
    void constantsAreFolded() {
        const auto graph = parseSound(
            "graph g\n%x : f32[4] = placeholder\n%f : f32[4] = aten.full.default([4], 2)\n"
            "%e : f32[4] = aten.exp.default(%f)\n%a : f32[4] = aten.mul.Tensor(%x, %e)\n"
            "%z : f32[4] = aten.full.default([4], 7)\n%zv : f32[2, 2] = aten.view.default(%z, [2, 2])\n"
            "%n : f32[4] = aten.rand.default([4])\nreturn [%a, %zv, %n]");
        const auto folded = torchScripted(*graph);
        QCOMPARE(folded->steps().size(), std::size_t(4));  // mul, full, view, rand
        QCOMPARE(makeTorchScript({{"freeze", "false"}})->compile(*graph, {})->steps().size(), std::size_t(6));
        for (int run = 0; run < 2; ++run) {
            Values args = arguments({at::ones({4})});
            const Values results = folded->run(args);
            QVERIFY(at::allclose(results[0].toTensor(), at::full({4}, 2.F).exp()));
            QVERIFY(at::equal(results[1].toTensor(), at::full({2, 2}, 7.F)));
            results[1].toTensor().zero_();
        }
    }

    /// The saved module computes what the graph computes, in LibTorch and as a model of aotscope.
    void savedGraphsRunAgain() {
        Options options;
        options.model = "sample:mlp";
        const auto session = Session::open(options, {});
        const auto graph = session->record()->graph(GraphKind::forward);
        const std::string file = scratch_.at(QStringLiteral("forward.pt")).toStdString();
        session->saveTorchScript(*graph, GraphKind::forward, Session::TorchScriptForm::module, file);
        Values inputs;
        for (const Node* placeholder : graph->placeholders())
            inputs.emplace_back(at::ones(placeholder->type.tensor()->sizes).mul(0.01));
        Values args = inputs;
        const Values expected = makeInterpreter()->compile(*graph, {})->run(args);
        const c10::IValue result = torch::jit::load(file).forward(inputs);
        const auto& found = result.toTupleRef().elements();
        QCOMPARE(found.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i)
            QVERIFY(at::allclose(found[i].toTensor(), expected[i].toTensor()));
        const Model again = loadModel(file, ModuleMode::eval);
        QVERIFY(again.program != nullptr);
        session->saveTorchScript(*graph, GraphKind::forward, Session::TorchScriptForm::text, file + ".jit");
        QVERIFY(contentOf(q(file + ".jit")).contains("aten::addmm"));
    }

    // --- all samples and programs, by every compiler ---

    void samplesAreLikeEager_data() {
        QTest::addColumn<QString>("sample");
        QTest::addColumn<QString>("compiler");
        QTest::addColumn<bool>("minCut");
        for (const auto& sample : sampleList())
            for (const CompilerInfo& compiler : compilerList({}))
                for (const bool minCut : {false, true})
                    if (longTests() || !isLargeSample(sample.name))
                        QTest::addRow("%s, %s, %s", sample.name.c_str(), compiler.name.c_str(),
                                      minCut ? "min-cut" : "default")
                            << q(sample.name) << q(compiler.name) << minCut;
    }
    void samplesAreLikeEager() {
        QFETCH(QString, sample);
        QFETCH(QString, compiler);
        QFETCH(bool, minCut);
        Options options;
        options.model = "sample:" + sample.toStdString();
        options.compilers.forward = compiler.toStdString();
        options.partition.algorithm = minCut ? PartitionAlgorithm::minCut : PartitionAlgorithm::defaultPartition;
        const auto session = Session::open(options, {});
        QCOMPARE(q(session->record()->error), QString());
        const CheckResult check = session->check({});
        QVERIFY2(check.ok, check.details.empty() ? "" : check.details.front().c_str());
        for (const CompilerUse& use : check.compilers) QCOMPARE(q(use.note), QString());
    }

    void programsAreLikeEager_data() {
        QTest::addColumn<QString>("program");
        QTest::addColumn<bool>("keep");
        for (const auto& program : programTexts())
            for (const bool keep : {false, true})
                QTest::addRow("%s%s", program.name.c_str(), keep ? ", kept mutations" : "") << q(program.name) << keep;
    }
    void programsAreLikeEager() {
        QFETCH(QString, program);
        QFETCH(bool, keep);
        const ProgramText& text = programText(program.toStdString());
        Options options;
        options.mode = text.mode;
        options.compilers.forward = "torchscript";
        options.keepInputMutations = keep;
        const Compiled compiled = compile(text.module(), text.inputs, options);
        QCOMPARE(q(compiled.record().error), QString());
        const CheckResult result = check(compiled);
        QVERIFY2(result.ok, result.details.empty() ? "" : result.details.front().c_str());
        for (const CompilerUse& use : result.compilers) QCOMPARE(q(use.note), QString());
    }
};

QTEST_GUILESS_MAIN(TestCompilers)
#include "test_compilers.moc"
