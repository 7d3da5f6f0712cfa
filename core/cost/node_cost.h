#pragma once

#include "ir/graph.h"

#include <cstdint>

namespace aotscope {

/// The resource besides memory that limits an operation.
enum class WorkKind : std::uint8_t {
    none,  ///< a view: computes nothing
    memory,
    matrix,
    batchedMatrix,  ///< many small ones
    convolution,
    attention,
    transcendental,  ///< elementwise, functions such as exp
    heavyFunction,   ///< elementwise, functions such as erf and tanh
    random,
    reduction,   ///< sums, normalizations along the last dimensions
    batchNorm,   ///< along the others
    window,      ///< pooling
    conversion,  ///< elementwise, between dtypes
};

/// The work of an operation, from its operand types alone. Dynamic sizes use their hints.
struct NodeCost {
    WorkKind kind = WorkKind::none;
    std::int64_t flops = 0;         ///< arithmetic of products, including what flopCount leaves out
    std::int64_t elements = 0;      ///< of a pointwise result, of what is summed up, of all windows
    std::int64_t bytesRead = 0;     ///< each element counts once
    std::int64_t bytesWritten = 0;  ///< new memory only
    bool strided = false;           ///< reads or writes out of memory order

    std::int64_t bytes() const { return bytesRead + bytesWritten; }
};

NodeCost costOf(const Node& node);

/// Whether `node` computes no value of its own: a view, an element of a tuple, an input.
bool isFree(const Node& node);

}  // namespace aotscope
