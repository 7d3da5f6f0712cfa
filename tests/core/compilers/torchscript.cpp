// The TorchScript compiler: calls, steps, constants, saved modules.

#include "compiled_calls.h"
#include "test_compilers.h"

#include "compile/compilers.h"
#include "compile/torchscript/torchscript.h"
#include "load/model.h"
#include "session/session.h"
#include "support/absent_tensor.h"
#include "support/graph_calls.h"
#include "support/models.h"
#include "support/text.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>

using namespace aotscope;
using namespace aotscope::test;

namespace {

std::shared_ptr<const CompiledGraph> torchScripted(const Graph& graph, const ConstantTable& constants = {}) {
    return makeTorchScript({{"freeze", "true"}})->compile(graph, constants);
}

}  // namespace

void TestCompilers::torchScriptCalls_data() { graphCallRows(); }
void TestCompilers::torchScriptCalls() {
    FETCH(QString, body, result);
    const auto graph = graphOfCall(body);
    const auto compiled = torchScripted(*graph, constantsOfCall());
    for (int run = 0; run < 2; ++run) {
        Values args = operandsOfCall();
        QCOMPARE(numbersIn(compiled->run(args)), result);
        QVERIFY(args.empty());
    }
    Protocol protocol;
    Values args = operandsOfCall();
    QCOMPARE(numbersIn(compiled->run(args, &protocol)), result);
    // Once more, from a file.
    const std::string file = scratch_.at(u"graph.pt"_s).toStdString();
    saveTorchScript(*graph, constantsOfCall(), file);
    QCOMPARE(numbersIn({torch::jit::load(file).forward(operandsOfCall())}), result);
    QVERIFY(torchScriptText(*graph, constantsOfCall()).find("# g:") != std::string::npos);
}

void TestCompilers::torchScriptRefuses_data() {
    columns<QString, QString>("body", "message");
    QTest::newRow("number") << u"%n : int(4) = aten.sym_size.int(%x, 0)\n%t : int(4) = "
                               "operator.sym_ite(True, %n, %n)\n"
                               "%r : f32[4] = aten.view.default(%x, [%t])"_s
                            << u"TorchScript has no operator for %t = operator.sym_ite"_s;
    QTest::newRow("unknown") << u"%r : f32[4] = nowhere.nothing.default(%x)"_s
                             << u"operation 'nowhere.nothing.default' is not known to LibTorch"_s;
    QTest::newRow("constant") << u"%c : f32[4] = constant(other)\n%r : f32[4] = "
                                 "aten.add.Tensor(%x, %c)"_s
                              << u"the graph refers to the constant 'other'"_s;
}
void TestCompilers::torchScriptRefuses() {
    FETCH(QString, body, message);
    const auto graph = parseSound("graph g\n%x : f32[4] = placeholder\n" + body.toStdString() + "\nreturn [%r]");
    const QString error = errorOf([&] { torchScripted(*graph); });
    QVERIFY2(error.contains(message), qPrintable(error));
}

/// One step for each node; lists and numbers belong to the operation that uses or makes them.
void TestCompilers::torchScriptIsObservedByNode() {
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
    QCOMPARE(q(protocol.text), u"args 1, 0:4, 1:[2][2], 2:[6], 3:[][]"_s);
}

void TestCompilers::valuesAreFreedAfterTheirLastUse() {
    class Watcher final : public StepObserver {
    public:
        explicit Watcher(const at::Tensor& t) : watched(t.getIntrusivePtr()) {}
        void before(std::size_t) override {}
        void after(std::size_t) override { alive += watched.expired() ? '-' : '+'; }
        c10::weak_intrusive_ptr<c10::TensorImpl> watched;
        std::string alive;
    };
    const auto compiled =
        torchScripted(*parseSound("graph g\n%x : f32[4] = placeholder\n%unused : f32[4] = placeholder\n"
                                  "%a : f32[4] = aten.cumsum.default(%x, 0)\n%b : f32[4] = aten.mul.Tensor(%a, %x)\n"
                                  "%c : f32[4] = aten.cumsum.default(%b, 0)\nreturn [%c]"));
    Values args = arguments({at::ones({4}), at::ones({4})});
    Watcher used(args[0].toTensor());
    compiled->run(args, &used);
    QCOMPARE(q(used.alive), u"+--"_s);
    args = arguments({at::ones({4}), at::ones({4})});
    Watcher unused(args[1].toTensor());
    compiled->run(args, &unused);
    QCOMPARE(q(unused.alive), u"---"_s);
}

/// Values that depend on constants alone are computed once, but outputs of the graph are new each time.
void TestCompilers::constantsAreFolded() {
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
void TestCompilers::savedGraphsRunAgain() {
    const auto session = Session::open({.model = "sample:mlp"}, {});
    const auto graph = session->record()->graph(GraphKind::forward);
    const std::string file = scratch_.at(u"forward.pt"_s).toStdString();
    session->saveTorchScript(*graph, GraphKind::forward, TorchScriptForm::module, file);
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
    session->saveTorchScript(*graph, GraphKind::forward, TorchScriptForm::text, file + ".jit");
    QVERIFY(contentOf(q(file + ".jit")).contains("aten::addmm"));
}
