// Comparing kernels with the reference.
#pragma once

#include "compile/fused/fused_kernel.h"
#include "support/fused_reference.h"

#include <ATen/ATen.h>

#include <QtTest>

namespace aotscope::test {

using Tensors = std::vector<at::Tensor>;

/// The difference from LibTorch's results; empty: none.
inline std::string failure(const Kernel& kernel, const Tensors& inputs, c10::IntArrayRef space, double tolerance = 0,
                           const std::vector<c10::Scalar>& numbers = {}) {
    const Tensors results = emptyOutputs(kernel, space);
    makeCpuKernel(kernel)->run(inputs, numbers, results);
    const Tensors expected = runByLibTorch(kernel, inputs, numbers, space);
    for (std::size_t i = 0; i < results.size(); ++i)
        if (std::string text = difference(results[i], expected[i], tolerance); !text.empty())
            return c10::str("output ", i, ": ", text);
    return {};
}

#define COMPARE_KERNEL(...)                            \
    do {                                               \
        const std::string text = failure(__VA_ARGS__); \
        QVERIFY2(text.empty(), text.c_str());          \
    } while (false)

inline DType dtypeOf(ComputeType computeType) {
    return computeType == ComputeType::f32   ? DType::f32
           : computeType == ComputeType::f64 ? DType::f64
           : computeType == ComputeType::i64 ? DType::i64
                                             : DType::b8;
}

inline at::Tensor randomTensor(c10::IntArrayRef sizes, at::ScalarType type = at::kFloat) {
    return at::randn(sizes).to(type);
}

}  // namespace aotscope::test
