#pragma once

#include "ir/graph.h"

#include <cstdint>

namespace aotscope {

/// Floating point operations of a matrix product, convolution or attention, as PyTorch's flop counter
/// (torch/utils/flop_counter.py) counts them: two for each multiply-add. 0 for every other operation. Dynamic sizes
/// count by their hints, packed sequences as if each had the longest length. For a node that runs subgraphs, those of
/// all its steps; see costWithin().
std::int64_t flopCount(const Node& node);

/// Like flopCount, but what a machine really computes: includes attention kernels and matrix-vector products that
/// PyTorch leaves out, and counts the weight gradient of a grouped convolution once for each group's own channels.
std::int64_t arithmeticOperations(const Node& node);

/// The node that is argument `position`, or the keyword argument `name`; null if there is none.
const Node* tensorArgument(const Node& node, std::size_t position, std::string_view name = {});

}  // namespace aotscope
