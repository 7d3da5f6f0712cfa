#include "aten/copy_tensor.h"
#include "checks.h"
#include "compile/fused/cuda/launch.h"
#include "compile/fused/cuda/nvrtc.h"
#include "compile/fused/fused_kernel.h"
#include "support/emulated_cuda.h"
#include "support/kernel_code.h"

#include <ATen/ATen.h>

namespace aotscope::test {

namespace {

using Tensors = std::vector<at::Tensor>;
using Scalars = std::vector<c10::Scalar>;

/// A kernel with tensors to call it with.
struct KernelCase {
    std::string name;
    Kernel kernel;
    Tensors inputs;
    Scalars numbers;
    Tensors outputs;
};

std::string sizesText(at::IntArrayRef sizes) {
    std::string text;
    for (const std::int64_t size : sizes) text += (text.empty() ? "" : "x") + std::to_string(size);
    return text;
}

/// The layout of elements determines how a kernel is translated: packed, strided, broadcast, shifted.
void addPointwise(std::vector<KernelCase>& cases) {
    const auto add = [&](const char* name, const at::Tensor& x, const at::Tensor& b, const at::Tensor& y) {
        cases.push_back({std::string("gelu, ") + name, geluOfSum(4), {x, b}, {2.0}, {y}});
    };
    const std::vector<std::int64_t> sizes = {3, 4, 5, 8};
    const at::Tensor x = at::randn(sizes), b = at::randn(sizes).to(at::kHalf), y = at::zeros(sizes);
    add("contiguous", x, b, y);
    add("bias", x, b.slice(0, 0, 1).slice(1, 0, 1).slice(2, 0, 1), y);
    add("column", x, b.slice(3, 0, 1).contiguous(), y);
    add("transposed", at::randn({3, 4, 8, 5}).transpose(2, 3), b, y);
    add("shifted", at::randn({481}).slice(0, 1).view(sizes), b, y);
    add("sliced output", x, b, at::zeros({3, 4, 5, 9}).slice(3, 0, 8));
    add("everything", at::randn({4, 3, 8, 5}).permute({1, 0, 3, 2}), b.slice(1, 0, 1),
        at::zeros({3, 5, 8, 4}).permute({0, 3, 1, 2}));
    add("empty", at::randn({3, 0, 5, 8}), at::randn({3, 0, 5, 8}).to(at::kHalf), at::zeros({3, 0, 5, 8}));
    cases.push_back(
        {"gelu, in place", geluOfSum(1), {x.flatten().clone(), b.flatten()}, {2.0}, {}});  // the output is its input
    cases.back().outputs = {cases.back().inputs[0]};
}

void addSoftmax(std::vector<KernelCase>& cases, const std::vector<std::int64_t>& sizes, std::vector<int> over) {
    cases.push_back({"softmax, " + sizesText(sizes),
                     softmaxKernel(static_cast<int>(sizes.size()), std::move(over)),
                     {at::randn(sizes)},
                     {},
                     {at::empty(sizes)}});
}

void addLayerNorm(std::vector<KernelCase>& cases, std::int64_t rows, std::int64_t size) {
    const auto half = [&] { return at::randn({rows, size}).to(at::kBFloat16); };
    cases.push_back({"layer norm, " + sizesText({rows, size}),
                     layerNorm(),
                     {half(), half(), at::randn({1, size})},
                     {size},
                     {half(), half(), at::empty({rows, 1}), at::empty({rows, 1})}});
}

void addSums(std::vector<KernelCase>& cases, const at::Tensor& x) {
    for (const std::vector<int>& over : std::vector<std::vector<int>>{{0}, {3}, {1, 2}, {0, 2, 3}, {0, 1, 2, 3}}) {
        const std::vector<std::int64_t> dims(over.begin(), over.end());
        cases.push_back({"sum of " + sizesText(x.sizes()) + " over " + sizesText(dims),
                         sum(4, over),
                         {x},
                         {},
                         {at::empty_like(x.sum(dims, true))}});
    }
}

void addOpcodes(std::vector<KernelCase>& cases) {
    for (const ComputeType computeType : {ComputeType::f32, ComputeType::f64, ComputeType::i64, ComputeType::boolean}) {
        EveryOpcode every = everyOpcode(computeType);
        cases.push_back({"all operations, " + std::string(longName(dtypeOf(computeType))),
                         every.kernel,
                         every.inputs,
                         {},
                         every.expected});
    }
}

std::vector<KernelCase> smallCases() {
    at::manual_seed(1);
    std::vector<KernelCase> cases;
    addPointwise(cases);
    addSoftmax(cases, {6, 5}, {1});
    addSoftmax(cases, {3, 1500}, {1});
    addSoftmax(cases, {2, 4100}, {1});
    addSoftmax(cases, {100, 40}, {0});
    addSoftmax(cases, {2, 20, 7}, {1});
    addSoftmax(cases, {3, 4, 5, 6}, {1, 3});
    addLayerNorm(cases, 5, 24);
    addLayerNorm(cases, 5, 1100);
    addSums(cases, at::randn({3, 5, 4, 6}));
    addSums(cases, at::randn({3, 5, 4, 6}).contiguous(at::MemoryFormat::ChannelsLast));
    addOpcodes(cases);
    return cases;
}

/// Too many threads to emulate on the CPU.
void addLarge(std::vector<KernelCase>& cases) {
    const at::Tensor x = at::randn({64, 16, 64, 64});
    cases.push_back({"gelu, large", geluOfSum(4), {x, x.to(at::kHalf)}, {2.0}, {at::empty_like(x)}});
    addSoftmax(cases, {4096, 1000}, {1});
    addSoftmax(cases, {1000, 4096}, {0});
    addLayerNorm(cases, 8192, 768);
    addSums(cases, at::randint(-8, 9, x.sizes(), at::kFloat));  // exact in any order
}

Tensors copies(const Tensors& tensors, c10::Device device,
               std::unordered_map<const c10::StorageImpl*, c10::Storage>& storages) {
    Tensors list;
    for (const at::Tensor& tensor : tensors) list.push_back(copyTensor(tensor, storages, device));
    return list;
}

/// The output of the kernel for the CPU in copies of the outputs.
Tensors expectedOf(const KernelCase& c) {
    std::unordered_map<const c10::StorageImpl*, c10::Storage> storages;
    const Tensors inputs = copies(c.inputs, at::kCPU, storages), outputs = copies(c.outputs, at::kCPU, storages);
    makeCpuKernel(c.kernel)->run(inputs, c.numbers, outputs);
    return outputs;
}

void expectSame(const KernelCase& c, const Tensors& outputs, const Tensors& expected) {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const at::Tensor output = outputs[i].cpu();
        if (close(output, expected[i])) continue;
        const at::Tensor error = (output.to(at::kDouble) - expected[i].to(at::kDouble)).abs().nan_to_num(INFINITY);
        throw Error(c.name + ": output " + std::to_string(i) + " differs from the CPU's kernel by " +
                    std::to_string(error.max().item<double>()));
    }
}

void emulate(const KernelCase& c) {
    const CudaLaunch launch(c.kernel, c.inputs, c.numbers, c.outputs);
    const std::string text = cudaText(c.kernel, launch.form);
    if (nvrtc().missing().empty()) nvrtc().compile(text, 9, 0);
    if (launch.blocks == 0) return;
    if (const std::string why = runEmulated(text, launch); !why.empty()) throw Error(c.name + ": " + why);
}

}  // namespace

std::string emulatedKernels() {
    if (hostCompiler().empty()) throw Skipped("no C++ compiler is found");
    const std::vector<KernelCase> cases = smallCases();
    for (const KernelCase& c : cases) {
        const Tensors expected = expectedOf(c);
        emulate(c);
        expectSame(c, c.outputs, expected);
    }
    return std::to_string(cases.size()) + " kernels equal the CPU's" +
           (nvrtc().missing().empty() ? ", and NVRTC compiles them" : "; no NVRTC");
}

std::string launchedKernels() {
    const c10::Device gpu = checkedDevice();
    if (const std::string why = whyNoLaunch(); !why.empty()) throw Skipped(why);
    std::vector<KernelCase> cases = smallCases();
    addLarge(cases);
    for (const KernelCase& c : cases) {
        const Tensors expected = expectedOf(c);
        std::unordered_map<const c10::StorageImpl*, c10::Storage> storages;
        const Tensors inputs = copies(c.inputs, gpu, storages), outputs = copies(c.outputs, gpu, storages);
        makeCudaKernel(c.kernel)->run(inputs, c.numbers, outputs);
        expectSame(c, outputs, expected);
    }
    return std::to_string(cases.size()) + " kernels equal the CPU's";
}

}  // namespace aotscope::test
