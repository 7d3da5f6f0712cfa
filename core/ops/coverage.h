#pragma once

#include "ops/op_table.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// How an operator's result shapes are computed during tracing.
enum class TraceMethod : std::uint8_t {
    shapeRule,      ///< our own rule
    metaKernel,     ///< LibTorch's own meta kernel
    composite,      ///< LibTorch's kernel for all devices, on meta tensors
    decomposed,     ///< never reached: LibTorch decomposes it first
    realKernel,     ///< the real kernel on zeros
    dataDependent,  ///< sizes or numbers depend on tensor values: taken from the example inputs and guarded
    noKernel        ///< cannot run on a CPU
};
std::string_view name(TraceMethod method);

/// Neither decomposed nor covered without a real kernel.
inline bool isUncovered(TraceMethod method) {
    return method == TraceMethod::realKernel || method == TraceMethod::noKernel;
}

struct OperatorCoverage {
    std::string op;  ///< "aten.add.Tensor"
    OpFamily family = OpFamily::other;
    std::uint16_t tags = 0;
    TraceMethod method = TraceMethod::noKernel;
};

/// All ATen operators that LibTorch has registered, sorted by name, except those with an `out` argument, which
/// functionalization removes.
std::vector<OperatorCoverage> operatorCoverage();

}  // namespace aotscope
