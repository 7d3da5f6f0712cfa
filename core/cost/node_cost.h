#pragma once

#include "ir/graph.h"

#include <cstdint>

namespace aotscope {

/// What limits the speed of an operation, besides memory.
enum class WorkKind : std::uint8_t {
    none,  ///< a view: nothing is computed
    memory,
    matrix,
    batchedMatrix,  ///< many small ones
    convolution,
    attention,
    transcendental,  ///< elementwise, of functions such as exp
    heavyFunction,   ///< elementwise, of functions such as erf and tanh
    random,
    reduction,   ///< sums, normalizations along the last dimensions
    batchNorm,   ///< along the others
    window,      ///< pooling
    conversion,  ///< elementwise, between element types
};

/// The work of an operation, from the types of its operands alone. Dynamic sizes count by their hints.
struct NodeCost {
    WorkKind kind = WorkKind::none;
    std::int64_t flops = 0;         ///< arithmetic of products; what flopCount leaves out included
    std::int64_t elements = 0;      ///< of a pointwise result, of what is summed up, of all windows
    std::int64_t bytesRead = 0;     ///< elements looked at, each once
    std::int64_t bytesWritten = 0;  ///< new memory only
    bool strided = false;           ///< reads or writes out of the order of memory

    std::int64_t bytes() const { return bytesRead + bytesWritten; }
};

NodeCost costOf(const Node& node);

/// Whether `node` computes no value of its own: a view, an element of a tuple, an input.
bool isFree(const Node& node);

}  // namespace aotscope
