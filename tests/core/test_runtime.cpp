// Compiled functions against the programs that they were compiled from.

#include "aten/tensors.h"
#include "compile/compiler.h"
#include "ops/decomposition_table.h"
#include "session/session.h"
#include "support/programs.h"
#include "support/text.h"
#include "verify/check.h"
#include "verify/memory_meter.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <torch/csrc/autograd/autograd.h>

#include <QtTest>

#include <thread>

using namespace aotscope;
using namespace aotscope::test;

namespace {

using Values = std::vector<c10::IValue>;
using Callable = std::function<Values(const Values&)>;

constexpr std::uint64_t kSeed = 11;

void seed(std::uint64_t value) {
    at::Generator generator = at::detail::getDefaultCPUGenerator();
    generator.set_current_seed(value);
}

std::string describe(const at::Tensor& t) {
    return c10::str(t.scalar_type(), t.sizes(), t.strides(), t.requires_grad() ? " requires a gradient" : "");
}

/// The visible results of one run, as text (shapes, aliasing) and as numbers.
struct Outcome {
    std::vector<std::string> words;
    std::vector<at::Tensor> numbers;

    void add(const std::string& what, const c10::IValue& value) {
        if (!isTensor(value)) return words.push_back(what + c10::str(" ", value));
        words.push_back(what + " " + describe(value.toTensor()));
        numbers.push_back(value.toTensor().detach().clone());
    }
};

Outcome run(const Workload& workload, const Callable& function, bool inference) {
    Outcome seen;
    const RunArguments arguments = workload.arguments(/*ownState=*/true);
    seed(kSeed);
    const at::AutoGradMode grad(!inference);
    const Values outputs = function(arguments.leaves);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        seen.add(c10::str("output ", i), outputs[i]);
        if (!isTensor(outputs[i]) || outputs[i].toTensor().numel() == 0) continue;
        const auto alias = [&](const char* what, std::size_t k, const c10::IValue& other) {
            if (!isTensor(other) || !other.toTensor().is_alias_of(outputs[i].toTensor())) return;
            const bool same = other.toTensor().is_same(outputs[i].toTensor());
            seen.words.push_back(c10::str("output ", i, same ? " is " : " shares memory with ", what, " ", k));
        };
        for (std::size_t k = 0; k < arguments.leaves.size(); ++k) alias("input", k, arguments.leaves[k]);
        for (std::size_t k = 0; k < i; ++k) alias("output", k, outputs[k]);
    }
    const BackwardStart start = backwardStart(outputs);
    if (!inference && !start.outputs.empty()) {
        torch::autograd::backward(start.outputs, start.tangents);
        for (std::size_t i = 0; i < arguments.differentiable.size(); ++i) {
            const at::Tensor gradient = arguments.differentiable[i].grad();
            // No gradient and a zero gradient are equal here: a compiled function cannot tell autograd which one it is.
            if (gradient.defined() && gradient.count_nonzero().item<int64_t>() > 0)
                seen.add("gradient of " + arguments.differentiableNames[i], gradient);
        }
    }
    for (std::size_t i = 0; i < arguments.leaves.size(); ++i)
        seen.add(c10::str("input ", i, " afterwards"), arguments.leaves[i]);
    seen.words.push_back(c10::str("next random number ", at::rand({1}).item<double>()));
    return seen;
}

QString difference(const Outcome& eager, const Outcome& compiled) {
    for (std::size_t i = 0; i < std::max(eager.words.size(), compiled.words.size()); ++i) {
        const std::string e = i < eager.words.size() ? eager.words[i] : "(nothing)";
        const std::string c = i < compiled.words.size() ? compiled.words[i] : "(nothing)";
        if (e != c) return QStringLiteral("eager: %1; compiled: %2").arg(q(e), q(c));
    }
    for (std::size_t i = 0; i < eager.numbers.size(); ++i)
        if (!at::allclose(eager.numbers[i], compiled.numbers[i], 1e-4, 1e-5, /*equal_nan=*/true))
            return QStringLiteral("value %1 differs: %2 and %3")
                .arg(i)
                .arg(q(c10::str(eager.numbers[i])), q(c10::str(compiled.numbers[i])));
    return {};
}

Compiled compiledProgram(const std::string& name, Options options = {}) {
    const ProgramText& program = programText(name);
    options.mode = program.mode;
    return compile(program.module(), program.inputs, options);
}

Values arguments(std::initializer_list<at::Tensor> tensors) { return Values(tensors.begin(), tensors.end()); }
at::Tensor only(const Values& outputs) { return outputs.at(0).toTensor(); }
at::Tensor leafOf(const at::Tensor& t) { return t.detach().clone().set_requires_grad(true); }

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

class TestRuntime : public QObject {
    Q_OBJECT

    static void programs(bool withOptions) {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("inference");
        QTest::addColumn<bool>("minCut");
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
    static Options optionsOf(bool inference, bool minCut) {
        Options options;
        options.inference = inference;
        options.partition.algorithm = minCut ? PartitionAlgorithm::minCut : PartitionAlgorithm::defaultPartition;
        options.seed = kSeed;
        return options;
    }

private Q_SLOTS:
    void initTestCase() { initializeTorch(); }

    // --- every program ---

    void sameAsEager_data() { programs(true); }
    void sameAsEager() {
        QFETCH(QString, name);
        QFETCH(bool, inference);
        QFETCH(bool, minCut);
        const Compiled compiled = compiledProgram(name.toStdString(), optionsOf(inference, minCut));
        QCOMPARE(q(compiled.record().error), QString());
        const Outcome eager = run(
            compiled.workload, [&](const Values& v) { return compiled.workload.function()(v).leaves; }, inference);
        QString error;
        Outcome actual;
        try {
            actual = run(
                compiled.workload, [&](const Values& v) { return compiled.function()(v); }, inference);
        } catch (const std::exception& e) {
            error = q(firstSentence(e.what()));
        }
        QCOMPARE(error, QString());
        const QString found = difference(eager, actual);
        QVERIFY2(found.isEmpty(), qPrintable(found));
    }

    void checkFindsNothing_data() { programs(true); }
    void checkFindsNothing() {
        QFETCH(QString, name);
        QFETCH(bool, inference);
        QFETCH(bool, minCut);
        const Options options = optionsOf(inference, minCut);
        const Compiled compiled = compiledProgram(name.toStdString(), options);
        QVERIFY(compiled.compilation.function);
        CheckResult result;
        const QString error = errorOf([&] { result = check(compiled); });
        QCOMPARE(error, QString());
        QVERIFY2(result.ok, result.ok ? "" : result.details.front().c_str());
        QVERIFY(result.inputsAfterOk && result.aliasingOk && result.outputsMaxError < 1e-4 &&
                result.gradsMaxError < 1e-4);
    }

    /// A layer that keeps its workspace for the backward only where gradients are recorded.
    void kernelsKeepWhatTheBackwardNeeds() {
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

    /// A function that adds 1 where the program adds 2 is found.
    void checkFindsDifferences() {
        const auto one = moduleFrom(
                       "def forward(self, x: Tensor) -> Tuple[Tensor, Tensor]:\n    return (x + 1).sin(), x"),
                   two = moduleFrom(
                       "def forward(self, x: Tensor) -> Tuple[Tensor, Tensor]:\n    x.mul_(2)\n    return (x + "
                       "2).sin(), x.clone()");
        const std::string spec =
            R"({"values":[{"leaf":{"shape":[3],"requires_grad":true}},{"op":"mul_scalar","of":0,"args":[1]}],"inputs":[{"tensor":1}]})";
        const Compiled compiled = compile(two, spec);
        const CheckResult result = checkAgainst(workloadOf(one, spec), compiled);
        QVERIFY(!result.ok && !result.inputsAfterOk && !result.aliasingOk);
        QVERIFY(result.outputsMaxError > 0.01 && result.gradsMaxError > 0.01);
        QVERIFY(result.details.size() >= 4);
    }

    /// A graph traced for plain tensors does not fit lazily conjugated ones.
    void lazyConjugatesAreOtherInputs() {
        const auto module = moduleFrom("def forward(self, x: Tensor) -> Tensor:\n    return x * 2");
        const Compiled compiled = compile(module, R"([{"shape":[2],"dtype":"complex64"}])");
        const at::Tensor x = compiled.workload.arguments(/*ownState=*/true).leaves[0].toTensor();
        QVERIFY(!compiled.function().failedGuard({x}));
        const auto reason = compiled.function().failedGuard({x.conj()});
        QVERIFY(reason && reason->find("lazily conjugated") != std::string::npos);
    }

    void noiseIsNoDifference_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("shape");
        QTest::addColumn<QString>("dtype");
        const auto add = [](const char* name, const char* body, const char* shape) {
            for (const char* dtype : {"float32", "float64", "bfloat16"})
                QTest::newRow(qPrintable(QStringLiteral("%1, %2").arg(QLatin1String(name), QLatin1String(dtype))))
                    << body << shape << dtype;
        };
        add("gradient of -x/x", "-x / x", "[50]");
        add("what is left of a mean", "(x - x.mean()).sum()", "[1000]");
        add("layer norm over one element", "torch.layer_norm(x, [1])", "[40,1]");
        add("layer norm over one element, scaled", "torch.layer_norm(x * 100, [1]) + x", "[40,1]");
        add("gradient of a sum of shares", "torch.softmax(x, -1).sum()", "[8,30]");
        add("a square less a product", "(x + 1) * (x + 1) - x * x - x * 2 - 1", "[60]");
        add("sine and cosine", "torch.sin(x) * torch.sin(x) + torch.cos(x) * torch.cos(x) - 1", "[60]");
    }
    /// Where the exact value is zero, the computed one is rounding error.
    void noiseIsNoDifference() {
        QFETCH(QString, body);
        QFETCH(QString, shape);
        QFETCH(QString, dtype);
        const auto module = moduleFrom("def forward(self, x: Tensor) -> Tensor:\n    return " + body.toStdString());
        const std::string spec =
            QStringLiteral(R"([{"shape":%1,"dtype":"%2","requires_grad":true}])").arg(shape, dtype).toStdString();
        for (const char* decompositions : {"none", "core-aten", "inductor", "prims"})
            for (const char* compiler : {"interpreter", "fused"}) {
                Options options;
                options.decompositions = DecompositionTable::load(decompositions);
                options.compilers.forward = compiler;
                const CheckResult result = check(compile(module, spec, options));
                QVERIFY2(result.ok, qPrintable(q(c10::str(decompositions, ", ", compiler, ": ",
                                                          result.ok ? "" : result.details.front()))));
            }
    }

    void smallErrorsAreFound_data() {
        QTest::addColumn<QString>("right");
        QTest::addColumn<QString>("wrong");
        QTest::addColumn<QString>("decompositions");
        const auto add = [](const char* name, const char* right, const char* wrong) {
            for (const char* decompositions : {"none", "core-aten", "prims"})
                QTest::newRow(
                    qPrintable(QStringLiteral("%1, %2").arg(QLatin1String(name), QLatin1String(decompositions))))
                    << right << wrong << decompositions;
        };
        add("everywhere", "return torch.relu(x @ w) + 1, x", "return (torch.relu(x @ w) + 1) * 1.00001, x");
        add("in one element", "return x * 2, w", "y = x * 2\ny[3, 4] = y[3, 4] + 0.0001\nreturn y, w");
        add("in a gradient alone", "return x.sin() @ w, w",
            "z = x.sin() @ w\nd = x.sum() * 0.001\nreturn z + (d - d.detach()), w");
        add("beside noise", "return x * 2, -x / x", "return x * 2.00002, -x / x");
        add("in the same value as noise", "return torch.cat([-x / x, x - x + 1]), torch.cat([x * 3, x - x])",
            "return torch.cat([-x / x, x - x + 1]), torch.cat([x * 3.00003, x - x])");
        add("behind a normalization", "return torch.layer_norm(x @ w, [8]), w",
            "return torch.layer_norm(x @ w, [8]) * 1.00001, w");
        add("in one of many layers", "y = x\nfor i in range(6):\n    y = torch.tanh(y @ w)\nreturn y, w",
            "y = x\nfor i in range(6):\n    y = torch.tanh(y @ w)\nreturn y * 1.00002, w");
    }
    /// Relative errors of 1e-5 are not rounding errors.
    void smallErrorsAreFound() {
        QFETCH(QString, right);
        QFETCH(QString, wrong);
        QFETCH(QString, decompositions);
        const auto module = [](const QString& body) {
            return moduleFrom("def forward(self, x: Tensor, w: Tensor) -> Tuple[Tensor, Tensor]:\n    " +
                              QString(body).replace(QLatin1Char('\n'), QLatin1String("\n    ")).toStdString());
        };
        const std::string spec = R"([{"shape":[8,8],"requires_grad":true},{"shape":[8,8],"requires_grad":true}])";
        Options options;
        options.decompositions = DecompositionTable::load(decompositions.toStdString());
        const CheckResult same = check(compile(module(right), spec, options));
        QVERIFY2(same.ok, same.ok ? "" : same.details.front().c_str());
        const CheckResult other = checkAgainst(workloadOf(module(right), spec), compile(module(wrong), spec, options));
        QVERIFY(!other.ok);
    }

    void checkLeavesRngStateAndModelAlone() {
        const Compiled compiled = compiledProgram("batch_norm_train");
        const at::Tensor before = at::detail::getDefaultCPUGenerator().get_state();
        check(compiled);
        QVERIFY(at::equal(at::detail::getDefaultCPUGenerator().get_state(), before));
        for (const auto& state : compiled.workload.function().program().state())
            if (state.name == "num_batches_tracked") QCOMPARE(state.value.item<int64_t>(), int64_t{0});
    }

    // --- as part of a larger program ---

    void gradientsFlowThroughTheFunction() {
        const Compiled compiled = compiledProgram("sin_cos");
        const at::Tensor w = leafOf(at::arange(6, at::kFloat).view({2, 3})), v = leafOf(w);
        const at::Tensor loss = (only(compiled.function()(arguments({w * 2}))) * 3 + w).sum();
        loss.backward();
        ((v * 2).sin().cos() * 3 + v).sum().backward();
        QVERIFY(at::allclose(w.grad(), v.grad()));
    }

    void chainedFunctions() {
        const Compiled first = compiledProgram("sin_cos"), second = compiledProgram("transposed_output");
        const at::Tensor x = leafOf(at::ones({2, 3})), y = leafOf(x);
        only(second.function()(first.function()(arguments({x})))).sum().backward();
        y.sin().cos().sin().t().sum().backward();
        QVERIFY(at::allclose(x.grad(), y.grad()));
    }

    void otherValuesOfTheSameShapes() {
        const Compiled compiled = compiledProgram("mlp");
        for (int i = 0; i < 3; ++i) {
            RunArguments a = compiled.workload.arguments(true);
            a.leaves.back() = at::rand({5, 3});
            const at::Tensor expected = only(compiled.workload.function()(a.leaves).leaves);
            QVERIFY(at::allclose(only(compiled.function()(a.leaves)), expected));
        }
    }

    void noGradientsWithoutRequest() {
        const Compiled compiled = compiledProgram("sin_cos");
        QVERIFY(!only(compiled.function()(arguments({at::ones({2, 3})}))).requires_grad());
        QVERIFY(only(compiled.function()(arguments({leafOf(at::ones({2, 3}))}))).requires_grad());
    }

    void retainedGraphs() {
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
            QVERIFY(q(e.what()).contains(QStringLiteral("backward through the graph a second time")));
        }
    }

    void doubleBackwardIsRefused() {
        const Compiled compiled = compiledProgram("sin_cos");
        const at::Tensor x = leafOf(at::ones({2, 3}));
        const at::Tensor y = only(compiled.function()(arguments({x}))).sum();
        const at::Tensor gradient = torch::autograd::grad({y}, {x}, {}, std::nullopt, /*create_graph=*/true).at(0);
        QVERIFY(at::allclose(gradient.detach(), -x.sin().sin() * x.cos()));
        try {
            gradient.sum().backward();
            QFAIL("the gradient was differentiated");
        } catch (const std::exception& e) {
            QVERIFY2(q(e.what()).contains(
                         QStringLiteral("a compiled backward cannot be differentiated again (double backward)")),
                     e.what());
        }
    }

    void overwrittenInputsAreNoticed_data() {
        QTest::addColumn<bool>("compiled");
        QTest::newRow("eager") << false;
        QTest::newRow("compiled") << true;
    }
    void overwrittenInputsAreNoticed() {
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
            QVERIFY(q(e.what()).contains(QStringLiteral("modified by an inplace operation")));
        }
    }

    void overwrittenOutputsAreNoticed() {
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
            QVERIFY(q(e.what()).contains(QStringLiteral("modified by an inplace operation")));
        }
    }

    void wrongNumberOfInputs() {
        const Compiled compiled = compiledProgram("sin_cos");
        QCOMPARE(errorOf([&] { compiled.function()({}); }),
                 QStringLiteral(
                     "the inputs do not fit what was compiled (the compiled function takes 1 inputs, 0 were given); "
                     "compile for these inputs"));
    }

    void dropoutFollowsTheGenerator() {
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

    void backwardIsCompiledWhenNeeded() {
        const Compiled compiled = compiledProgram("sin_cos");
        const auto compiler = std::make_shared<CountingCompiler>();
        const FunctionMetadata& metadata = *compiled.record().metadata;
        const std::vector<c10::IValue> example = compiled.workload.function().exampleLeaves();
        const auto function = CompiledFunction::make(
            {metadata,
             metadata,
             {ViewSequence{}},
             {},
             {compiler, compiler},
             compiled.record().graph(GraphKind::forward),
             compiled.record().graph(GraphKind::backward),
             std::make_shared<SizeGuards>(metadata, example, std::vector<Symbol>(), std::vector<SymbolBinding>(),
                                          std::vector<SizeCondition>()),
             nullptr,
             AutocastState::current()});
        QCOMPARE(compiler->compiled, std::vector<std::string>({"forward"}));
        const at::Tensor x = leafOf(at::ones({2, 3}));
        const at::Tensor first = only((*function)(arguments({x}))), second = only((*function)(arguments({x})));
        QCOMPARE(compiler->compiled.size(), std::size_t(1));
        first.sum().backward();
        second.sum().backward();
        QCOMPARE(compiler->compiled, std::vector<std::string>({"forward", "backward"}));
        QVERIFY(at::allclose(x.grad(), -2 * x.detach().sin().sin() * x.detach().cos()));
    }

    void functionOutlivesItsOwner() {
        auto compiled = std::make_unique<Compiled>(compiledProgram("sin_cos"));
        const at::Tensor x = leafOf(at::ones({2, 3}));
        const at::Tensor y = only(compiled->function()(arguments({x})));
        compiled.reset();
        y.sum().backward();
        QVERIFY(x.grad().defined());
    }

    void severalThreadsAtOnce() {
        const Compiled compiled = compiledProgram("mlp");
        const RunArguments a = compiled.workload.arguments(true);
        const at::Tensor expected = only(compiled.function()(a.leaves)).detach();
        std::atomic<int> wrong = 0;
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i)
            threads.emplace_back([&] {
                for (int k = 0; k < 50; ++k)
                    wrong += !at::equal(only(compiled.function()(a.leaves)).detach(), expected);
            });
        for (auto& thread : threads) thread.join();
        QCOMPARE(wrong.load(), 0);
    }

    // --- memory ---

    void savedValuesAreFreed() {
        const Compiled compiled = compile(
            moduleFrom("def forward(self, x: Tensor) -> Tensor:\n    y = x.cumsum(0)\n    return (y * y).cumsum(0)"),
            R"([{"shape":[1000],"requires_grad":true}])");
        QCOMPARE(compiled.record().partition->saved.size(), std::size_t(1));
        const MemoryMeter meter;
        at::Tensor x = leafOf(at::ones({1000}));
        const auto alone = meter.bytes();
        at::Tensor y = only(compiled.function()(arguments({x})));
        QCOMPARE(meter.bytes() - alone, 2 * 4000);  // the result and the saved sum
        y.sum().backward();
        QCOMPARE(meter.bytes() - alone, 2 * 4000);  // the result and the gradient of x
        y.reset();
        x.mutable_grad().reset();
        QCOMPARE(meter.bytes(), alone);
    }

    void abandonedRunsAreFreed() {
        const Compiled compiled = compiledProgram("mlp");
        const MemoryMeter meter;
        const RunArguments a = compiled.workload.arguments(true);
        const auto before = meter.bytes();
        compiled.function()(a.leaves);
        QCOMPARE(meter.bytes(), before);
    }

    void noLeakOverManyRuns_data() { programs(false); }
    void noLeakOverManyRuns() {
        QFETCH(QString, name);
        const Compiled compiled = compiledProgram(name.toStdString());
        QVERIFY(compiled.compilation.function);
        const MemoryMeter meter;
        const auto once = [&] {
            try {
                run(
                    compiled.workload, [&](const Values& v) { return compiled.function()(v); }, false);
            } catch (const std::exception&) {
                // Other tests check the results.
            }
        };
        once();
        const auto before = meter.bytes();
        for (int i = 0; i < 50; ++i) once();
        QCOMPARE(meter.bytes(), before);
    }

    // --- sessions ---

    void sessionsCheckAndTime() {
        Options options;
        options.model = "sample:bert-tiny";
        const auto session = Session::open(options, {});
        const auto second = Session::open(options, {}, session);
        QVERIFY(session->check({}).ok);
        const TimingResult timing = second->time({2}, {});
        QCOMPARE(timing.iterations, 2);
        QVERIFY(timing.backward && timing.eagerForwardMs.min > 0 && timing.compiledBackwardMs.min > 0);
        QVERIFY(timing.eagerPeakBytes > 0 && timing.compiledPeakBytes > 0);
        const auto record = session->record();
        std::size_t calls = 0;
        for (const auto kind : {GraphKind::forward, GraphKind::backward})
            for (const auto& [op, count] : opHistogram(*record->graph(kind)))
                if (op != "operator.getitem") calls += static_cast<std::size_t>(count);
        QCOMPARE(timing.steps.size(), calls);
        QVERIFY(second->check({}).ok);
        QVERIFY_THROWS_EXCEPTION(Cancelled, session->check([] {
            Progress cancelled;
            cancelled.cancel();
            return cancelled;
        }()));
    }

    void failedPipelinesRunNothing() {
        Options options;
        options.model = "sample:mlp";
        options.inputs = parseInputSpec(R"([{"shape":[2,3]}])", "spec");
        const auto session = Session::open(options, {});
        const QString error = q(session->record()->error);
        QVERIFY2(error.startsWith(QStringLiteral("pass 'forward-traced' failed: ")), qPrintable(error));
        QCOMPARE(errorOf([&] { session->check({}); }), error);
        QCOMPARE(errorOf([&] { session->time({1}, {}); }), error);
    }
};

QTEST_GUILESS_MAIN(TestRuntime)
#include "test_runtime.moc"
