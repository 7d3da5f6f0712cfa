// Reductions, softmax and layer norm; calls from several threads.

#include "kernel_tests.h"
#include "test_fused_kernels.h"

#include "compile/fused/fused_kernel.h"
#include "support/fused_reference.h"

#include <ATen/ATen.h>

#include <thread>

using namespace aotscope;
using namespace aotscope::test;

namespace {

Kernel softmaxKernel() {
    KernelMaker m;
    const int scores = m.load(DType::f32, ComputeType::f32), mask = m.load(DType::f32, ComputeType::f32);
    const int scaled = m.op(Opcode::mul, ComputeType::f32, {scores, m.constant(ComputeType::f32, 0.125)});
    const int x = m.op(Opcode::add, ComputeType::f32, {scaled, mask});
    const int most = m.op(Opcode::reduceMax, ComputeType::f32, {x});
    const int power = m.op(Opcode::exp, ComputeType::f32, {m.op(Opcode::sub, ComputeType::f32, {x, most})});
    const int sum = m.op(Opcode::reduceSum, ComputeType::f32, {power});
    m.output(m.op(Opcode::div, ComputeType::f32, {power, sum}), DType::f32);
    m.output(sum, DType::f32);
    return m.kernel;
}

Kernel layerNormKernel(int width) {
    KernelMaker m;
    const int x = m.load(DType::f32, ComputeType::f32), weight = m.load(DType::f32, ComputeType::f32);
    const int inverse = m.constant(ComputeType::f32, 1. / width);
    const int mean = m.op(Opcode::mul, ComputeType::f32, {m.op(Opcode::reduceSum, ComputeType::f32, {x}), inverse});
    const int centered = m.op(Opcode::sub, ComputeType::f32, {x, mean});
    const int square = m.op(Opcode::mul, ComputeType::f32, {centered, centered});
    const int variance =
        m.op(Opcode::mul, ComputeType::f32, {m.op(Opcode::reduceSum, ComputeType::f32, {square}), inverse});
    const int root = m.op(Opcode::rsqrt, ComputeType::f32,
                          {m.op(Opcode::add, ComputeType::f32, {variance, m.constant(ComputeType::f32, 1e-5)})});
    m.output(m.op(Opcode::mul, ComputeType::f32, {m.op(Opcode::mul, ComputeType::f32, {centered, root}), weight}),
             DType::f32);
    m.output(mean, DType::f32);
    return m.kernel;
}

}  // namespace

// --- reductions ---

void TestFusedKernels::reductions_data() {
    const auto row = columns<std::vector<std::int64_t>, std::vector<int>>("space", "reduced");
    row("rows", {300, 768}, {1});
    row("columns", {512, 3072}, {0});
    row("few columns", {40000, 3}, {0});
    row("some columns", {30000, 40}, {0});
    row("all", {1000, 1003}, {0, 1});
    row("a long row", {3, 300000}, {1});
    row("rows of one", {1000, 1}, {1});
    row("rows of two", {5000, 2}, {1});
    row("channels", {8, 5, 40, 41}, {0, 2, 3});
    row("outer and inner", {7, 300, 9}, {0, 2});
    row("middle", {7, 300, 90}, {1});
    row("nothing", {5, 0}, {1});
    row("no rows", {0, 5}, {1});
    row("no dimensions", {}, {});
}
void TestFusedKernels::reductions() {
    QFETCH(std::vector<std::int64_t>, space);
    QFETCH(std::vector<int>, reduced);
    const bool some = c10::multiply_integers(space) > 0;
    for (const ComputeType computeType : {ComputeType::f32, ComputeType::f64, ComputeType::i64, ComputeType::boolean}) {
        KernelMaker m;
        const int x = m.load(dtypeOf(computeType), computeType), signs = m.load(dtypeOf(computeType), computeType);
        m.kernel.rank = static_cast<int>(space.size());
        m.kernel.reduced = reduced;
        const auto add = [&](Opcode op, int value) { m.output(m.op(op, computeType, {value}), dtypeOf(computeType)); };
        if (reduced.empty()) m.output(x, dtypeOf(computeType));
        else if (some) add(Opcode::reduceMin, x), add(Opcode::reduceMax, x);
        if (!reduced.empty() && computeType != ComputeType::boolean)
            add(Opcode::reduceSum, x), add(Opcode::reduceProd, signs);
        // Numbers whose sums and products are exact.
        const at::Tensor numbers = at::randint(-50, 50, space).to(scalarType(computeType));
        const at::Tensor units = (at::randint(0, 2, space) * 2 - 1).to(scalarType(computeType));
        COMPARE_KERNEL(m.kernel, {numbers, units}, space);
        if (space.size() < 2) continue;
        const at::Tensor turned = numbers.transpose(0, -1).contiguous().transpose(0, -1);
        COMPARE_KERNEL(m.kernel, {turned, units.transpose(0, -1).contiguous().transpose(0, -1)}, space);
    }
}

void TestFusedKernels::notANumber() {
    for (const std::vector<int>& reduced : {std::vector{0}, std::vector{1}}) {
        KernelMaker m;
        const int x = m.load(DType::f32, ComputeType::f32);
        for (const Opcode op : {Opcode::reduceSum, Opcode::reduceMin, Opcode::reduceMax})
            m.output(m.op(op, ComputeType::f32, {x}), DType::f32);
        m.kernel.rank = 2;
        m.kernel.reduced = reduced;
        at::Tensor input = randomTensor({90, 70});
        input[3][4] = std::numeric_limits<float>::quiet_NaN();
        input[80][69] = std::numeric_limits<float>::quiet_NaN();
        COMPARE_KERNEL(m.kernel, {input}, {90, 70}, 1e-5);
    }
}

void TestFusedKernels::softmax() {
    Kernel kernel = softmaxKernel();
    kernel.rank = 4;
    for (const int dim : {3, 2, 0})
        for (const std::int64_t width : {1, 5, 128, 20000}) {
            kernel.reduced = {dim};
            const std::vector<std::int64_t> space = {2, 3, width > 1000 ? 2 : 33, width};
            COMPARE_KERNEL(kernel, {randomTensor(space), randomTensor({2, 1, 1, width})}, space, 1e-5);
        }
}

void TestFusedKernels::layerNorm() {
    for (const int width : {3, 768, 5000, 70000}) {
        Kernel kernel = layerNormKernel(width);
        kernel.rank = 2;
        kernel.reduced = {1};
        COMPARE_KERNEL(kernel, {randomTensor({20, width}) + 3, randomTensor({1, width})}, {20, width}, 2e-5);
    }
}

void TestFusedKernels::sumsOfManyAreExact() {
    KernelMaker m;
    m.output(m.op(Opcode::reduceSum, ComputeType::f32, {m.load(DType::f32, ComputeType::f32)}), DType::f32);
    m.kernel.rank = 2;
    for (const std::vector<int>& reduced : {std::vector{0}, std::vector{1}}) {
        m.kernel.reduced = reduced;
        COMPARE_KERNEL(m.kernel, {at::rand({3000, 3000}) + 1}, {3000, 3000}, 1e-6);
    }
}

// --- threads ---

void TestFusedKernels::concurrentCalls() {
    Kernel kernel = softmaxKernel();
    kernel.rank = 2;
    kernel.reduced = {1};
    const auto made = makeCpuKernel(kernel);
    const Tensors inputs = {randomTensor({600, 200}), randomTensor({1, 200})};
    const Tensors expected = runByLibTorch(kernel, inputs, {}, {600, 200});
    std::vector<std::string> differences(4);
    std::vector<std::thread> threads;
    for (std::string& text : differences)
        threads.emplace_back([&] {
            for (int i = 0; i < 20; ++i) {
                const Tensors results = emptyOutputs(kernel, {600, 200});
                made->run(inputs, {}, results);
                text += difference(results[0], expected[0], 1e-5);
            }
        });
    for (std::thread& thread : threads) thread.join();
    for (const std::string& text : differences) QCOMPARE(text, std::string());
}
