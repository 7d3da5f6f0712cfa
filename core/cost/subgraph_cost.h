#pragma once

#include "ir/graph.h"

#include <cstdint>
#include <functional>

namespace aotscope {

/// How often `node` runs its subgraphs: once for each element that it iterates over. 1 if known only at run time.
std::int64_t stepsOf(const Node& node);

/// The cost of the subgraphs of `node`: the sum of `cost` over their operations, nested subgraphs included. A cond
/// counts its most expensive branch, as in torch/utils/flop_counter.py. 0 for a node without subgraphs.
double costWithin(const Node& node, const std::function<double(const Node&)>& cost);

}  // namespace aotscope
