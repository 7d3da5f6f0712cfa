#pragma once

#include "ir/graph.h"

#include <cstdint>
#include <functional>

namespace aotscope {

/// How often `node` runs its subgraphs: once for each element that it goes over. 1 where only a run knows.
std::int64_t stepsOf(const Node& node);

/// What the subgraphs of `node` cost, by the `cost` of the operations in them, those of nested subgraphs included. Of
/// the branches of a cond the dearer one counts, as in torch/utils/flop_counter.py. 0 for a node without subgraphs.
double costWithin(const Node& node, const std::function<double(const Node&)>& cost);

}  // namespace aotscope
