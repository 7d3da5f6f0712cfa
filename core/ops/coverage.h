#pragma once

#include "ops/op_table.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// How an operator gets its results' shapes while tracing.
enum class TraceMethod : std::uint8_t {
    shapeRule,      ///< a rule of ours
    metaKernel,     ///< LibTorch's own meta kernel
    composite,      ///< LibTorch's kernel for all devices, on meta tensors
    decomposed,     ///< never arrives: LibTorch breaks it into other operators before
    realKernel,     ///< the real kernel on zeros
    dataDependent,  ///< sizes or numbers depend on the values of a tensor: taken from the example inputs, with a guard
    noKernel        ///< nothing can run it on a CPU
};
std::string_view name(TraceMethod method);

/// Neither decomposed nor answered without a real kernel.
inline bool isUncovered(TraceMethod method) {
    return method == TraceMethod::realKernel || method == TraceMethod::noKernel;
}

struct OperatorCoverage {
    std::string op;  ///< "aten.add.Tensor"
    OpFamily family = OpFamily::other;
    std::uint16_t tags = 0;
    TraceMethod method = TraceMethod::noKernel;
};

/// All operators of ATen's that LibTorch has registered, sorted by name; not those that write into an `out` argument,
/// which functionalization removes.
std::vector<OperatorCoverage> operatorCoverage();

}  // namespace aotscope
