// Results and autograd of compiled functions.

#include "test_runtime.h"
#include "runs.h"
#include "support/test_program.h"

#include "compile/compiler.h"
#include "support/programs.h"
#include "support/text.h"
#include "verify/check.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <torch/csrc/autograd/autograd.h>

#include <thread>

using namespace aotscope;
using namespace aotscope::test;

namespace {

QString difference(const Outcome& eager, const Outcome& compiled) {
    for (std::size_t i = 0; i < std::max(eager.words.size(), compiled.words.size()); ++i) {
        const std::string e = i < eager.words.size() ? eager.words[i] : "(nothing)";
        const std::string c = i < compiled.words.size() ? compiled.words[i] : "(nothing)";
        if (e != c) return u"eager: %1; compiled: %2"_s.arg(q(e), q(c));
    }
    for (std::size_t i = 0; i < eager.numbers.size(); ++i)
        if (!at::allclose(eager.numbers[i], compiled.numbers[i], 1e-4, 1e-5, /*equal_nan=*/true))
            return u"value %1 differs: %2 and %3"_s.arg(i).arg(q(c10::str(eager.numbers[i])),
                                                               q(c10::str(compiled.numbers[i])));
    return {};
}

class CountingCompiler final : public Compiler {
public:
    std::string name() const override { return "counting"; }
    std::shared_ptr<const CompiledGraph> compile(const Graph& graph, const ConstantTable& constants) const override {
        compiled.push_back(graph.name());
        return makeInterpreter()->compile(graph, constants);
    }
    mutable std::vector<std::string> compiled;
};

}  // namespace

void TestRuntime::programs(bool withOptions) {
    columns<QString, bool, bool>("name", "inference", "minCut");
    for (const auto& program : programTexts()) {
        if (!withOptions) {
            QTest::newRow(program.name.c_str()) << q(program.name) << false << true;
            continue;
        }
        QTest::addRow("%s, min-cut", program.name.c_str()) << q(program.name) << false << true;
        QTest::addRow("%s, default", program.name.c_str()) << q(program.name) << false << false;
        QTest::addRow("%s, inference", program.name.c_str()) << q(program.name) << true << true;
    }
}

Options TestRuntime::optionsOf(bool inference, bool minCut) {
    return {.inference = inference,
            .partition = {.algorithm = minCut ? PartitionAlgorithm::minCut : PartitionAlgorithm::defaultPartition},
            .seed = kSeed};
}

// --- every program ---

void TestRuntime::sameAsEager_data() { programs(true); }
void TestRuntime::sameAsEager() {
    QFETCH(QString, name);
    FETCH(bool, inference, minCut);
    const Compiled compiled = compiledProgram(name.toStdString(), optionsOf(inference, minCut));
    QCOMPARE(q(compiled.record().error), QString());
    const Outcome eager = run(
        compiled.modelRun, [&](const Values& v) { return compiled.modelRun.function()(v).leaves; }, inference);
    QString error;
    Outcome actual;
    try {
        actual = run(
            compiled.modelRun, [&](const Values& v) { return compiled.function()(v); }, inference);
    } catch (const std::exception& e) {
        error = q(firstSentence(e.what()));
    }
    QCOMPARE(error, QString());
    const QString found = difference(eager, actual);
    QVERIFY2(found.isEmpty(), qPrintable(found));
}

/// A layer that keeps its workspace for the backward only where gradients are recorded.
void TestRuntime::kernelsKeepWhatTheBackwardNeeds() {
    const auto module = moduleFrom(
        "def forward(self, x: Tensor) -> Tensor:\n"
        "    h = torch.zeros([1, 2, 4])\n"
        "    return torch.lstm(x, [h, h], [self.w, self.u, self.b, self.c], True, 1, 0.0, True, False, False)[0]",
        {ModuleBuilder::parameter("w", learned({16, 3})), ModuleBuilder::parameter("u", learned({16, 4})),
         ModuleBuilder::parameter("b", learned({16})), ModuleBuilder::parameter("c", learned({16}))});
    const Compiled compiled = compile(module, R"([{"shape":[5,2,3],"requires_grad":true}])");
    CheckResult result;
    const QString error = errorOf([&] { result = check(compiled); });
    QCOMPARE(error, QString());
    QVERIFY2(result.ok && result.backwardRun, result.ok ? "no backward" : result.details.front().c_str());
}

// --- as part of a larger program ---

void TestRuntime::gradientsFlowThroughTheFunction() {
    const Compiled compiled = compiledProgram("sin_cos");
    const at::Tensor w = leafOf(at::arange(6, at::kFloat).view({2, 3})), v = leafOf(w);
    const at::Tensor loss = (only(compiled.function()(arguments({w * 2}))) * 3 + w).sum();
    loss.backward();
    ((v * 2).sin().cos() * 3 + v).sum().backward();
    QVERIFY(at::allclose(w.grad(), v.grad()));
}

void TestRuntime::chainedFunctions() {
    const Compiled first = compiledProgram("sin_cos"), second = compiledProgram("transposed_output");
    const at::Tensor x = leafOf(at::ones({2, 3})), y = leafOf(x);
    only(second.function()(first.function()(arguments({x})))).sum().backward();
    y.sin().cos().sin().t().sum().backward();
    QVERIFY(at::allclose(x.grad(), y.grad()));
}

void TestRuntime::otherValuesOfTheSameShapes() {
    const Compiled compiled = compiledProgram("mlp");
    for (int i = 0; i < 3; ++i) {
        RunArguments a = compiled.modelRun.arguments(true);
        a.leaves.back() = at::rand({5, 3});
        const at::Tensor expected = only(compiled.modelRun.function()(a.leaves).leaves);
        QVERIFY(at::allclose(only(compiled.function()(a.leaves)), expected));
    }
}

void TestRuntime::noGradientsWithoutRequest() {
    const Compiled compiled = compiledProgram("sin_cos");
    QVERIFY(!only(compiled.function()(arguments({at::ones({2, 3})}))).requires_grad());
    QVERIFY(only(compiled.function()(arguments({leafOf(at::ones({2, 3}))}))).requires_grad());
}

void TestRuntime::retainedGraphs() {
    const Compiled compiled = compiledProgram("sin_cos");
    const at::Tensor x = leafOf(at::ones({2, 3}));
    const at::Tensor loss = only(compiled.function()(arguments({x}))).sum();
    loss.backward({}, /*retain_graph=*/true);
    const at::Tensor once = x.grad().clone();
    loss.backward({}, /*retain_graph=*/false);
    QVERIFY(at::allclose(x.grad(), once * 2));
    try {
        loss.backward();
        QFAIL("a third backward ran on freed values");
    } catch (const c10::Error& e) {
        QVERIFY(q(e.what()).contains(u"backward through the graph a second time"_s));
    }
}

void TestRuntime::doubleBackwardIsRefused() {
    const Compiled compiled = compiledProgram("sin_cos");
    const at::Tensor x = leafOf(at::ones({2, 3}));
    const at::Tensor y = only(compiled.function()(arguments({x}))).sum();
    const at::Tensor gradient = torch::autograd::grad({y}, {x}, {}, std::nullopt, /*create_graph=*/true).at(0);
    QVERIFY(at::allclose(gradient.detach(), -x.sin().sin() * x.cos()));
    try {
        gradient.sum().backward();
        QFAIL("the gradient was differentiated");
    } catch (const std::exception& e) {
        QVERIFY2(q(e.what()).contains(u"a compiled backward cannot be differentiated again (double backward)"_s),
                 e.what());
    }
}

void TestRuntime::overwrittenInputsAreNoticed_data() {
    QTest::addColumn<bool>("compiled");
    QTest::newRow("eager") << false;
    QTest::newRow("compiled") << true;
}
void TestRuntime::overwrittenInputsAreNoticed() {
    QFETCH(bool, compiled);
    const Compiled c = compiledProgram("sin_cos");
    const at::Tensor x = leafOf(at::ones({2, 3}));
    const at::Tensor input = x * 1;
    const at::Tensor y = compiled ? only(c.function()(arguments({input}))) : input.sin().cos();
    input.add_(1);
    try {
        y.sum().backward();
        QFAIL("the backward used overwritten values");
    } catch (const c10::Error& e) {
        QVERIFY(q(e.what()).contains(u"modified by an inplace operation"_s));
    }
}

void TestRuntime::overwrittenOutputsAreNoticed() {
    // tanh keeps its own result for the backward.
    const Compiled c = compile(moduleFrom("def forward(self, x: Tensor) -> Tensor:\n    return x.tanh()"),
                               programText("sin_cos").inputs);
    const at::Tensor x = leafOf(at::ones({2, 3}));
    const at::Tensor y = only(c.function()(arguments({x})));
    y.mul_(2);
    try {
        y.sum().backward();
        QFAIL("the backward used overwritten values");
    } catch (const c10::Error& e) {
        QVERIFY(q(e.what()).contains(u"modified by an inplace operation"_s));
    }
}

void TestRuntime::wrongNumberOfInputs() {
    const Compiled compiled = compiledProgram("sin_cos");
    QCOMPARE(errorOf([&] { compiled.function()({}); }),
             u"the inputs do not fit what was compiled (the compiled function takes 1 input, got 0); "
             "compile for these inputs"_s);
}

void TestRuntime::dropoutFollowsTheGenerator() {
    const Compiled compiled = compiledProgram("dropout_train");
    const at::Tensor x = leafOf(at::ones({4, 5}));
    const auto draw = [&] { return only(compiled.function()(arguments({x}))).detach(); };
    seed(1);
    const at::Tensor first = draw(), second = draw();
    seed(1);
    QVERIFY(at::equal(draw(), first));
    QVERIFY(at::equal(draw(), second));
    QVERIFY(!at::equal(first, second));
}

void TestRuntime::backwardIsCompiledWhenNeeded() {
    const Compiled compiled = compiledProgram("sin_cos");
    const auto compiler = std::make_shared<CountingCompiler>();
    const FunctionMetadata& metadata = *compiled.record().metadata;
    const std::vector<c10::IValue> example = compiled.modelRun.function().exampleLeaves();
    const auto function = CompiledFunction::make(
        {.metadata = metadata,
         .graphMetadata = metadata,
         .outputViews = {ViewSequence{}},
         .compilers = {compiler, compiler},
         .forward = compiled.record().graph(GraphKind::forward),
         .backward = compiled.record().graph(GraphKind::backward),
         .sizes = std::make_shared<SizeGuards>(metadata, example, std::vector<Symbol>(), std::vector<SymbolBinding>(),
                                               std::vector<SizeCondition>()),
         .autocast = AutocastState::current()});
    QCOMPARE(compiler->compiled, std::vector<std::string>({"forward"}));
    const at::Tensor x = leafOf(at::ones({2, 3}));
    const at::Tensor first = only((*function)(arguments({x}))), second = only((*function)(arguments({x})));
    QCOMPARE(compiler->compiled.size(), std::size_t(1));
    first.sum().backward();
    second.sum().backward();
    QCOMPARE(compiler->compiled, std::vector<std::string>({"forward", "backward"}));
    QVERIFY(at::allclose(x.grad(), -2 * x.detach().sin().sin() * x.detach().cos()));
}

void TestRuntime::functionOutlivesItsOwner() {
    auto compiled = std::make_unique<Compiled>(compiledProgram("sin_cos"));
    const at::Tensor x = leafOf(at::ones({2, 3}));
    const at::Tensor y = only(compiled->function()(arguments({x})));
    compiled.reset();
    y.sum().backward();
    QVERIFY(x.grad().defined());
}

void TestRuntime::severalThreadsAtOnce() {
    const Compiled compiled = compiledProgram("mlp");
    const RunArguments a = compiled.modelRun.arguments(true);
    const at::Tensor expected = only(compiled.function()(a.leaves)).detach();
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            for (int k = 0; k < 50; ++k) wrong += !at::equal(only(compiled.function()(a.leaves)).detach(), expected);
        });
    for (auto& thread : threads) thread.join();
    QCOMPARE(wrong.load(), 0);
}

AOTSCOPE_TEST(TestRuntime)
#include "test_runtime.moc"
