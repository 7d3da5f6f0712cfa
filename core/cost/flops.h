#pragma once

#include "ir/graph.h"

#include <cstdint>

namespace aotscope {

/// Floating point operations of a matrix product, convolution or attention, as PyTorch's flop counter
/// (torch/utils/flop_counter.py) counts them: two for each multiply-add. 0 for every other operation. Dynamic sizes use
/// their hints, packed sequences count as if each had the longest length. A node that runs subgraphs counts all its
/// steps; see costWithin().
std::int64_t flopCount(const Node& node);

/// Like flopCount, but what is actually computed: includes attention kernels and matrix-vector products that PyTorch
/// leaves out, and counts the weight gradient of a grouped convolution only for each group's own channels.
std::int64_t arithmeticOperations(const Node& node);

/// The node in argument `position`, or in the keyword argument `name`; null if absent.
const Node* tensorArgument(const Node& node, std::size_t position, std::string_view name = {});

}  // namespace aotscope
