#include "aten/torch_versions.h"
#include "checks.h"
#include "compile/captured_graph.h"
#include "compile/compilers.h"
#include "load/torch_messages.h"
#include "support/models.h"

#include <ATen/ATen.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

namespace aotscope::test {

namespace {

using Values = std::vector<c10::IValue>;

Compiled compiledBy(const std::string& compiler, bool captures, bool inference = false) {
    const Options options{.device = checkedDevice().str(),
                          .deviceGraphs = captures,
                          .inference = inference,
                          .compilers = {.forward = compiler}};
    Compiled compiled =
        compile(moduleFrom("def forward(self, x: Tensor) -> Tensor:\n"
                           "    return torch.softmax(torch.gelu(x * self.w) + x, 1)",
                           {ModuleBuilder::parameter("w", at::linspace(0.5, 1.5, 64).set_requires_grad(true))}),
                R"([{"shape":[32,64]}])", options);
    expect(compiled.record().error.empty(), compiled.record().error);
    return compiled;
}

void requireCapture() {
    if (const std::string why = whyNoCapture(checkedDevice().type()); !why.empty()) throw Skipped(why);
}

struct Results {
    at::Tensor output, gradient;
};

Results call(const Compiled& compiled, const RunArguments& arguments, const at::Tensor& x) {
    Values leaves = arguments.leaves;
    leaves[1] = x;
    const at::Tensor y = compiled.function()(leaves).at(0).toTensor();
    y.square().sum().backward();
    at::Tensor weight = arguments.differentiable.at(0);
    const at::Tensor gradient = weight.grad().clone();
    weight.mutable_grad().reset();
    return {y.detach(), gradient};
}

void expectSame(const Results& found, const Results& expected, const std::string& when) {
    expect(at::allclose(found.output, expected.output, 1e-4, 1e-6), when + ": the output is another one");
    expect(at::allclose(found.gradient, expected.gradient, 1e-3, 1e-5), when + ": the gradient is another one");
}

at::Tensor input(std::int64_t seed) {
    return at::arange(32 * 64, at::TensorOptions(at::kFloat).device(checkedDevice()))
        .mul(0.37)
        .add(static_cast<double>(seed))
        .sin()
        .view({32, 64});
}

void replaysOf(const std::string& compiler) {
    const Compiled plain = compiledBy("interpreter", false), compiled = compiledBy(compiler, true);
    const RunArguments arguments = compiled.modelRun.arguments(/*ownState=*/true);
    std::vector<std::pair<at::Tensor, at::Tensor>> kept;
    for (int i = 0; i < 6; ++i) {
        const Results found = call(compiled, arguments, input(i)), expected = call(plain, arguments, input(i));
        expectSame(found, expected, compiler + ", call " + std::to_string(i + 1));
        kept.emplace_back(found.output, expected.output);
    }
    for (const auto& [found, expected] : kept)
        expect(at::allclose(found, expected, 1e-4, 1e-6), compiler + ": a replay has changed an earlier result");
    const RunArguments moved = compiled.modelRun.arguments(/*ownState=*/true);
    for (int i = 0; i < 2; ++i)
        expectSame(call(compiled, moved, input(9 + i)), call(plain, moved, input(9 + i)), compiler + ", moved weights");
}

}  // namespace

std::string replays() {
    requireCapture();
    const TorchWarnings warnings;  // a capture that fails is one
    for (const char* compiler : {"interpreter", "torchscript", "fused"}) replaysOf(compiler);
    for (const std::string& sentence : warnings.sentences())
        expect(sentence.find("cannot be captured") == std::string::npos, sentence);
    return "3 compilers, forward and backward, 8 calls each";
}

std::string kernelsFirstMetInCapture() {
    requireCapture();
    if (const std::string why = whyNoLaunch(); !why.empty()) throw Skipped(why);
    const Compiled compiled = compiledBy("interpreter", false, /*inference=*/true);
    const std::shared_ptr<const Graph> graph = compiled.record().graph(GraphKind::inference);
    const auto fused = makeCompiler("fused", {})->compile(*graph, compiled.compilation.constants.working);
    expect(fused->note().empty(), fused->note());
    expect(!fused->groups().empty(), "nothing of the graph is fused");
    Values arguments = compiled.modelRun.arguments(/*ownState=*/true).leaves;
    const at::Tensor x = input(1);
    arguments[1] = x;

    const c10::impl::VirtualGuardImpl guard(checkedDevice().type());
    guard.synchronizeDevice(0);
    const auto replayed = makeDeviceGraph(checkedDevice().type());
    Values outputs;
    {
        const c10::StreamGuard side(guard.getStreamFromGlobalPool(x.device(), /*isHighPriority=*/false));
        const at::NoGradGuard noGradients;
        replayed->begin();
        try {
            Values own = arguments;
            outputs = fused->run(own);
        } catch (...) {
            replayed->abandon();
            throw;
        }
        replayed->end();
        for (int seed = 2; seed < 5; ++seed) {
            x.copy_(input(seed));
            replayed->replay();
            const Values expected = compiled.function()(arguments);
            expect(at::allclose(outputs.at(0).toTensor(), expected.at(0).toTensor(), 1e-4, 1e-6),
                   "a replay does not compute what the graph does");
        }
        guard.synchronizeStream(side.current_stream());
    }
    return std::to_string(fused->groups().size()) + " kernels compiled and loaded in the capture, 3 replays";
}

}  // namespace aotscope::test
