// How a check explains differences; fake results against real kernels.

#include "faults.h"
#include "test_bisect.h"

#include "aten/fake_tensor.h"
#include "support/text.h"
#include "trace/cross_check.h"
#include "verify/bisect.h"
#include "verify/check.h"

using namespace aotscope;
using namespace aotscope::test;

namespace {

at::Tensor twice(const at::Tensor& x) { return x.mul(2); }

/// Differs from the result of the kernel above.
at::Tensor twiceOnMeta(const at::Tensor& x) { return at::empty_strided(x.sizes(), {1, x.size(0)}, x.options()); }

// In the namespace in which TorchScript looks up operators by their bare names.
TORCH_LIBRARY_FRAGMENT(aten, library) { library.def("twice_for_test(Tensor x) -> Tensor"); }

TORCH_LIBRARY_IMPL(aten, CPU, library) { library.impl("twice_for_test", twice); }
TORCH_LIBRARY_IMPL(aten, Meta, library) { library.impl("twice_for_test", twiceOnMeta); }

std::string allDetails(const CheckResult& result) {
    std::string text;
    for (const auto& detail : result.details) text += detail + "\n";
    return text;
}

/// Checks `compiled` against the program `eager`.
CheckResult compare(const std::string& eager, const std::string& compiled, const std::string& spec) {
    return checkAgainst(modelRunOf(unary(eager), spec), compile(unary(compiled), spec));
}

}  // namespace

// --- explanations ---

/// A gradient that is exactly zero is computed as the rounding error of numbers that cancel.
void TestBisect::noiseIsNoDifference() {
    for (const char* body : {"-x / x", "torch.layer_norm(x, [1])"})
        for (const char* table : {"none", "core-aten"}) {
            const Options options{.decompositions = DecompositionTable::load(table)};
            const auto module = moduleFrom("def forward(self, x: Tensor) -> Tensor:\n    return " + std::string(body));
            const BisectResult result = bisect(compile(module, R"([{"shape":[40,1],"requires_grad":true}])", options));
            QVERIFY2(!result.found, qPrintable(q(c10::str(body, ", ", table, ": ", passName(result)))));
        }
}

/// A relative error of 1e-5.
void TestBisect::aSmallError() {
    const auto scale = [](Graph& graph) {
        Node* result = graph.outputs()[0].node();
        replace(graph, result, "aten.mul.Scalar", {result, 1.00001});
    };
    const auto compiled = withFault(unary("return x.sin() + 1"), kPlainInput, "inference", scale, GraphKind::inference);
    const BisectResult result = bisect(compiled);
    QVERIFY(result.found);
    QCOMPARE(q(passName(result)), u"inference"_s);
}

void TestBisect::valuesAreExplained() {
    const CheckResult result =
        compare("return x.sin()", "return x.sin() + torch.tril(torch.ones([3, 3]), -2) * 0.5", kPlainInput);
    QCOMPARE(result.differences.size(), std::size_t{1});
    const Difference& d = result.differences.front();
    QCOMPARE(d.kind, Difference::Kind::value);
    QCOMPARE(q(d.what), u"output 0"_s);
    QCOMPARE(d.index, (std::vector<std::int64_t>{2, 0}));
    QCOMPARE(d.count, std::int64_t{1});
    QCOMPARE(d.total, std::int64_t{9});
    QVERIFY(std::abs(d.maxAbs - 0.5) < 1e-5 && d.maxRel > 0.1);
    QVERIFY(std::abs(std::stod(d.actual) - std::stod(d.expected) - 0.5) < 1e-4);
    QVERIFY2(result.details.front().find("at [2, 0]: " + d.actual + ", eager has " + d.expected +
                                         "; 1 of 9 elements differ") != std::string::npos,
             result.details.front().c_str());
}

void TestBisect::outputsAreNamed() {
    const auto returns = [](const std::string& loss) {
        return "def forward(self, x: Tensor) -> Dict[str, Tensor]:\n    return {'logits': x.cos(), 'loss': " + loss +
               "}";
    };
    const CheckResult result = checkAgainst(modelRunOf(moduleFrom(returns("x.sum()")), kPlainInput),
                                            compile(moduleFrom(returns("x.sum() * 2")), kPlainInput));
    QCOMPARE(result.differences.size(), std::size_t{1});
    QCOMPARE(q(result.differences.front().what), u"output 'loss'"_s);
    QVERIFY2(result.details.front().starts_with("output 'loss' differs from eager"), result.details.front().c_str());
    QCOMPARE(q(result.values.front().name), u"logits"_s);
    const auto fault = [](Graph& graph) {
        Node* loss = graph.outputs()[1].node();
        replace(graph, loss, "aten.mul.Scalar", {loss, 3.0});
    };
    const BisectResult found =
        bisect(withFault(moduleFrom(returns("x.sum()")), kPlainInput, "inference", fault, GraphKind::inference));
    QVERIFY(found.found && !found.outputs.empty());
    QCOMPARE(q(found.outputs.front().what), u"output 'loss'"_s);
}

void TestBisect::gradientsAreExplained() {
    const CheckResult result = compare("return x.sin()", "return x.sin() + (x - x.detach())", kInput);
    QCOMPARE(result.differences.size(), std::size_t{1});
    QCOMPARE(q(result.differences.front().what), u"gradient of 'x'"_s);
    QCOMPARE(result.outputsMaxError, 0.0);
    QVERIFY(result.gradsMaxError > 0.1);
}

void TestBisect::infinitiesAndNans() {
    const CheckResult result = compare("return x.sin()", "return x.sin() / torch.ones([3, 3]).tril()", kPlainInput);
    const Difference* d = find(result, Difference::Kind::value);
    QVERIFY(d && d->count == 3 && !std::isfinite(d->maxAbs));
    QVERIFY2(allDetails(result).find("inf") != std::string::npos, allDetails(result).c_str());
    QVERIFY(compare("return (x - x) / (x - x)", "return (x - x) / (x - x)", kPlainInput).ok);
}

void TestBisect::stridesOfOutputs() {
    const CheckResult result = compare("return x.sin().t()", "return x.sin().t().contiguous()", kPlainInput);
    QCOMPARE(result.differences.size(), std::size_t{1});
    const Difference* d = find(result, Difference::Kind::strides);
    QVERIFY(d);
    QCOMPARE(q(d->expected), u"[1, 3]"_s);
    QCOMPARE(q(d->actual), u"[3, 1]"_s);
}

void TestBisect::offsetsOfAliases() {
    const std::string ones = R"([{"shape":[4],"fill":"ones"}])";
    const CheckResult result = compare("return x[1:3]", "return x[2:4]", ones);
    QCOMPARE(result.differences.size(), std::size_t{1});
    const Difference* d = find(result, Difference::Kind::offset);
    QVERIFY2(d && d->expected == "1" && d->actual == "2", allDetails(result).c_str());
}

void TestBisect::versionCounters() {
    CheckResult result = compare("x.mul_(1)\nreturn x.sin()", "return x.sin()", kPlainInput);
    QCOMPARE(result.differences.size(), std::size_t{1});
    QVERIFY(find(result, Difference::Kind::version) && !result.inputsAfterOk);
    result = compare("return x.sin()", "x.mul_(1)\nreturn x.sin()", kPlainInput);
    QVERIFY(result.differences.size() == 1 && find(result, Difference::Kind::version));
}

/// Neither eager nor the compiled function increments version counters for these writes.
void TestBisect::writesBehindAutograd() {
    for (const char* lines : {"x.data.mul_(2)\nreturn x.sin()", "y = x.data\ny.add_(1)\nreturn y * 1"}) {
        const CheckResult result = compare(lines, lines, kPlainInput);
        QVERIFY2(result.ok, allDetails(result).c_str());
    }
    // A write that is visible here only.
    const char* back = "y = torch.zeros([3, 3])\nold = x.view([3, 3])\nx.set_(y)\nx.set_(old)\nreturn x + 1";
    const Compiled set = compile(unary(back), kPlainInput);
    QVERIFY(set.record().metadata->inputs[0].countsAsWritten && !set.record().metadata->inputs[0].mutatesData);
    QVERIFY2(check(set).ok, allDetails(check(set)).c_str());
    const ProgramText& norm = programText("batch_norm_train");
    const Compiled compiled = compile(norm.module(), norm.inputs);
    for (const InputInfo& input : compiled.record().metadata->inputs)
        if (input.mutatesData) QCOMPARE(input.countsAsWritten, input.name == "num_batches_tracked");
    const CheckResult result = check(compiled);
    QVERIFY2(result.ok, allDetails(result).c_str());
}

/// Eager computes no gradient for an input that starts to require one during the run.
void TestBisect::inputsThatComeToRequireAGradient() {
    const Compiled compiled = compile(unary("x.requires_grad_()\nreturn x * 3"), kPlainInput);
    QVERIFY(check(compiled).ok);
    const BisectResult result = bisect(compiled);
    QVERIFY2(!result.found, describe(result).c_str());
}

/// A write through an input that is a view may reach the rest of its base.
void TestBisect::memoryBehindViews() {
    const std::string view =
        R"({"values":[{"leaf":{"shape":[4]}},{"op":"slice","of":0,"args":[0,2,4]}],"inputs":[{"tensor":1}]})";
    const CheckResult result =
        compare("x.as_strided([2], [1], 0).add_(3)\nreturn x.sin()", "x.add_(0)\nreturn x.sin()", view);
    const Difference* d = find(result, Difference::Kind::memory);
    QVERIFY2(d && d->count == 2 && d->total == 4, allDetails(result).c_str());
    QVERIFY(!result.inputsAfterOk);
}

// --- fake results ---

void TestBisect::aWrongMetaKernelIsReported() {
    const Compiled compiled = compile(unary("return torch.twice_for_test(x.sin()).cos()"), kPlainInput,
                                      {.inference = true, .crossCheckFake = true});
    QCOMPARE(q(compiled.record().error), QString());
    const CrossCheckReport& report = *compiled.record().crossCheck;
    QCOMPARE(report.mismatches.size(), std::size_t{1});
    const FakeMismatch& m = report.mismatches.front();
    QCOMPARE(q(m.op), u"aten.twice_for_test.default"_s);
    QVERIFY2(m.expected.find("strides [3, 1]") != std::string::npos, m.expected.c_str());
    QVERIFY2(m.found.find("strides [1, 3]") != std::string::npos, m.found.c_str());
    QCOMPARE(m.count, 2);  // as written and functionalized
    QVERIFY(compiled.record().warnings.back().find("twice") != std::string::npos);
    QVERIFY(!compile(unary("return x.sin()"), kPlainInput).record().crossCheck);
}

/// Each result is wrong in one way.
void TestBisect::wrongFakeResults() {
    const ModelRun modelRun = modelRunOf(unary("return x.sin()"), kPlainInput);
    const auto fake = [](at::IntArrayRef sizes, at::IntArrayRef strides, at::ScalarType type = at::kFloat) {
        return makeFake(emptyMeta(sizes, strides, type), c10::Device(at::kCPU));
    };
    const auto tried = [&](const char* name, const std::vector<c10::IValue>& arguments, const c10::IValue& result) {
        CrossCheck check(modelRun.function());
        const auto op = c10::Dispatcher::singleton().findSchemaOrThrow(name, "");
        auto call = check.begin(op, arguments);
        check.finish(op, std::move(call), c10::ArrayRef<c10::IValue>(result));
        return check.report();
    };
    const at::Tensor x = fake({2, 3}, {3, 1});
    const at::Tensor view = makeFake(asFake(x)->meta().t(), c10::Device(at::kCPU));
    QVERIFY(tried("aten::t", {x}, view).mismatches.empty());
    QCOMPARE(tried("aten::t", {x}, view).checked, 1);
    QCOMPARE(tried("aten::t", {x}, fake({3, 2}, {1, 3})).mismatches.size(), std::size_t{1});  // not a view
    QCOMPARE(tried("aten::sin", {x}, fake({2, 3}, {1, 2})).mismatches.size(), std::size_t{1});
    QCOMPARE(tried("aten::sin", {x}, fake({3, 2}, {2, 1})).mismatches.size(), std::size_t{1});
    QCOMPARE(tried("aten::sin", {x}, fake({2, 3}, {3, 1}, at::kDouble)).mismatches.size(), std::size_t{1});
    QCOMPARE(tried("aten::sin", {x}, x).mismatches.size(), std::size_t{1});  // in place, which it is not
    QVERIFY(tried("aten::sin", {x}, fake({2, 3}, {3, 1})).mismatches.empty());
    const CrossCheckReport refused = tried("aten::cholesky_inverse", {x, false}, x);
    QVERIFY(refused.checked == 0 && refused.skipped.size() == 1);
}
