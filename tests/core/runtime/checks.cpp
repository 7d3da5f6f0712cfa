// Checks of compiled functions against eager: differences that they find and those that they ignore.

#include "runs.h"
#include "test_runtime.h"

#include "aten/tensors.h"
#include "ops/decompositions/decomposition_table.h"
#include "support/programs.h"
#include "support/text.h"
#include "verify/check.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/equal.h>

using namespace aotscope;
using namespace aotscope::test;

void TestRuntime::checkFindsNothing_data() { programs(true); }
void TestRuntime::checkFindsNothing() {
    QFETCH(QString, name);
    FETCH(bool, inference, minCut);
    const Options options = optionsOf(inference, minCut);
    const Compiled compiled = compiledProgram(name.toStdString(), options);
    QVERIFY(compiled.compilation.function);
    CheckResult result;
    const QString error = errorOf([&] { result = check(compiled); });
    QCOMPARE(error, QString());
    QVERIFY2(result.ok, result.ok ? "" : result.details.front().c_str());
    QVERIFY(result.inputsAfterOk && result.aliasingOk && result.outputsMaxError < 1e-4 && result.gradsMaxError < 1e-4);
    QVERIFY(result.eagerMs > 0 && result.compiledMs > 0);
    double outputs = 0, gradients = 0;
    for (const CheckedValue& value : result.values) {
        QVERIFY2(value.equal && !value.type.empty() && value.maxRel <= value.tolerance, value.what.c_str());
        if (value.kind == CheckedValue::Kind::output) outputs = std::max(outputs, value.maxRel);
        if (value.kind == CheckedValue::Kind::gradient) gradients = std::max(gradients, value.maxRel);
        if (value.kind == CheckedValue::Kind::input) QCOMPARE(value.what, "input '" + value.name + "' after the run");
    }
    QCOMPARE(outputs, result.outputsMaxError);
    QCOMPARE(gradients, result.gradsMaxError);
}

/// A function that adds 1 where the program adds 2 is found.
void TestRuntime::checkFindsDifferences() {
    const auto one = moduleFrom("def forward(self, x: Tensor) -> Tuple[Tensor, Tensor]:\n    return (x + 1).sin(), x"),
               two = moduleFrom(
                   "def forward(self, x: Tensor) -> Tuple[Tensor, Tensor]:\n    x.mul_(2)\n    return (x + "
                   "2).sin(), x.clone()");
    const std::string spec =
        R"({"values":[{"leaf":{"shape":[3],"requires_grad":true}},{"op":"mul_scalar","of":0,"args":[1]}],"inputs":[{"tensor":1}]})";
    const Compiled compiled = compile(two, spec);
    const CheckResult result = checkAgainst(modelRunOf(one, spec), compiled);
    QVERIFY(!result.ok && !result.inputsAfterOk && !result.aliasingOk);
    QVERIFY(result.outputsMaxError > 0.01 && result.gradsMaxError > 0.01);
    QVERIFY(result.details.size() >= 4);
    using Kind = CheckedValue::Kind;
    const auto of = [&](Kind kind) {
        std::vector<CheckedValue> values;
        for (const CheckedValue& value : result.values)
            if (value.kind == kind) values.push_back(value);
        return values;
    };
    QCOMPARE(of(Kind::output).size(), 2U);
    QCOMPARE(of(Kind::gradient).size(), 1U);
    QCOMPARE(of(Kind::input).size(), 1U);  // only the compiled function writes to it
    for (const CheckedValue& value : result.values) QVERIFY2(!value.equal, value.what.c_str());
    const CheckedValue sine = of(Kind::output).front();
    QVERIFY(sine.type == "f32[3]" && sine.maxAbs > 0 && sine.maxRel > sine.tolerance && sine.tolerance > 0);
}

/// A graph traced for plain tensors does not fit lazily conjugated ones.
void TestRuntime::lazyConjugatesAreOtherInputs() {
    const auto module = moduleFrom("def forward(self, x: Tensor) -> Tensor:\n    return x * 2");
    const Compiled compiled = compile(module, R"([{"shape":[2],"dtype":"complex64"}])");
    const at::Tensor x = compiled.modelRun.arguments(/*ownState=*/true).leaves[0].toTensor();
    QVERIFY(!compiled.function().failedGuard({x}));
    const auto reason = compiled.function().failedGuard({x.conj()});
    QVERIFY(reason && reason->find("lazily conjugated") != std::string::npos);
}

void TestRuntime::noiseIsNoDifference_data() {
    const auto row = columns<QString, QString, QString>("body", "shape", "dtype");
    const auto add = [&](const char* name, const char* body, const char* shape) {
        for (const char* dtype : {"float32", "float64", "bfloat16"})
            row(u"%1, %2"_s.arg(QLatin1String(name), QLatin1String(dtype)), body, shape, dtype);
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
void TestRuntime::noiseIsNoDifference() {
    FETCH(QString, body, shape, dtype);
    const auto module = moduleFrom("def forward(self, x: Tensor) -> Tensor:\n    return " + body.toStdString());
    const std::string spec = uR"([{"shape":%1,"dtype":"%2","requires_grad":true}])"_s.arg(shape, dtype).toStdString();
    for (const char* decompositions : {"none", "core-aten", "inductor", "prims"})
        for (const char* compiler : {"interpreter", "fused"}) {
            const CheckResult result = check(compile(
                module, spec,
                {.decompositions = DecompositionTable::load(decompositions), .compilers = {.forward = compiler}}));
            QVERIFY2(
                result.ok,
                qPrintable(q(c10::str(decompositions, ", ", compiler, ": ", result.ok ? "" : result.details.front()))));
        }
}

void TestRuntime::smallErrorsAreFound_data() {
    const auto row = columns<QString, QString, QString>("right", "wrong", "decompositions");
    const auto add = [&](const char* name, const char* right, const char* wrong) {
        for (const char* decompositions : {"none", "core-aten", "prims"})
            row(u"%1, %2"_s.arg(QLatin1String(name), QLatin1String(decompositions)), right, wrong, decompositions);
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
void TestRuntime::smallErrorsAreFound() {
    FETCH(QString, right, wrong, decompositions);
    const auto module = [](const QString& body) {
        return moduleFrom("def forward(self, x: Tensor, w: Tensor) -> Tuple[Tensor, Tensor]:\n    " +
                          QString(body).replace(u'\n', "\n    "_L1).toStdString());
    };
    const std::string spec = R"([{"shape":[8,8],"requires_grad":true},{"shape":[8,8],"requires_grad":true}])";
    const Options options{.decompositions = DecompositionTable::load(decompositions.toStdString())};
    const CheckResult same = check(compile(module(right), spec, options));
    QVERIFY2(same.ok, same.ok ? "" : same.details.front().c_str());
    const CheckResult other = checkAgainst(modelRunOf(module(right), spec), compile(module(wrong), spec, options));
    QVERIFY(!other.ok);
}

void TestRuntime::checkLeavesRngStateAndModelAlone() {
    const Compiled compiled = compiledProgram("batch_norm_train");
    const at::Tensor before = at::detail::getDefaultCPUGenerator().get_state();
    check(compiled);
    QVERIFY(at::equal(at::detail::getDefaultCPUGenerator().get_state(), before));
    for (const auto& state : compiled.modelRun.function().program().state())
        if (state.name == "num_batches_tracked") QCOMPARE(state.value.item<int64_t>(), int64_t{0});
}

// --- sessions ---

void TestRuntime::sessionsCheckAndTime() {
    const Options options{.model = "sample:bert-tiny"};
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

void TestRuntime::failedPipelinesRunNothing() {
    const auto session =
        Session::open({.model = "sample:mlp", .inputs = parseInputSpec(R"([{"shape":[2,3]}])", "spec")}, {});
    const QString error = q(session->record()->error);
    QVERIFY2(error.startsWith(u"pass 'forward-traced' failed: "_s), qPrintable(error));
    QCOMPARE(errorOf([&] { session->check({}); }), error);
    QCOMPARE(errorOf([&] { session->time({1}, {}); }), error);
}
