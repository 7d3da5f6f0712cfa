#include "checks.h"
#include "support/models.h"

#include <ATen/ATen.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

namespace aotscope::test {

namespace {

constexpr std::int64_t kRows = 512, kColumns = 1024;

/// A matrix product, pointwise operations and a reduction.
Compiled compiledBy(const std::string& compiler) {
    const Options options{.device = checkedDevice().str(), .compilers = {.forward = compiler}};
    return compile(
        moduleFrom("def forward(self, x: Tensor) -> Tensor:\n"
                   "    return torch.softmax(torch.gelu(torch.mm(x * self.w, x.t())) + 1.0, 1)",
                   {ModuleBuilder::parameter("w", at::linspace(0.5, 1.5, kColumns).set_requires_grad(true))}),
        R"([{"shape":[512,1024]}])", options);
}

struct Results {
    at::Tensor output, gradient;
};

Results runOn(const Compiled& compiled, const at::Tensor& x) {
    const RunArguments arguments = compiled.modelRun.arguments(/*ownState=*/true);
    std::vector<c10::IValue> leaves = arguments.leaves;
    leaves[1] = x;
    const at::Tensor y = compiled.function()(leaves).at(0).toTensor();
    y.mul(x.mean()).sum().backward();
    return {y.detach(), arguments.differentiable.at(0).grad()};
}

/// Keeps the current stream busy for some tens of milliseconds.
void keepBusy(const at::Tensor& matrix) {
    at::Tensor product = matrix;
    for (int i = 0; i < 20; ++i) product = product.mm(matrix);
}

/// Whether the stream was still busy after the call of the function.
bool runBehindWork(const Compiled& compiled, const at::Tensor& values, const at::Tensor& matrix, Results& results) {
    const c10::impl::VirtualGuardImpl guard(checkedDevice().type());
    guard.synchronizeDevice(0);
    const c10::StreamGuard side(guard.getStreamFromGlobalPool(values.device(), /*isHighPriority=*/false));
    const at::Tensor x = at::zeros_like(values);
    keepBusy(matrix);
    x.copy_(values);  // without waiting for the stream, these are zeros
    results = runOn(compiled, x);
    const bool busy = !guard.queryStream(side.current_stream());
    guard.synchronizeStream(side.current_stream());
    return busy;
}

}  // namespace

std::string sideStream() {
    if (!checkedDevice().is_cuda()) throw Skipped("the CPU has no streams");
    const at::TensorOptions onGpu = at::TensorOptions(at::kFloat).device(checkedDevice());
    const at::Tensor values = at::randn({kRows, kColumns}, onGpu), matrix = at::rand({4096, 4096}, onGpu).div(4096);
    int busy = 0, runs = 0;
    for (const char* compiler : {"interpreter", "torchscript", "fused"}) {
        const Compiled compiled = compiledBy(compiler);
        expect(compiled.record().error.empty(), compiled.record().error);
        const Results expected = runOn(compiled, values);  // kernels are compiled here
        Results results;
        busy += runBehindWork(compiled, values, matrix, results);
        ++runs;
        expect(at::allclose(results.output, expected.output, 1e-4, 1e-6),
               std::string(compiler) + " does not compute on the current stream: the output is another one");
        expect(at::allclose(results.gradient, expected.gradient, 1e-3, 1e-5),
               std::string(compiler) + " does not compute on the current stream: the gradient is another one");
    }
    return std::to_string(runs) + " compilers, stream still busy after " + std::to_string(busy) + " calls";
}

}  // namespace aotscope::test
