#pragma once

#include "ir/graph.h"

#include <utility>
#include <vector>

namespace aotscope {

/// Removes operations whose results nothing uses, and arguments that no kernel reads. Operations that draw random
/// numbers or write into an argument stay. Returns whether anything changed.
bool eliminateDeadCode(Graph& graph);

/// Merges operations that compute the same from the same. Left alone: random operations, `empty`, and values
/// that share memory with an output. Appends (merged, kept) pairs to `merged`. Returns whether anything changed.
bool eliminateCommonSubexpressions(Graph& graph, std::vector<std::pair<NodeId, NodeId>>& merged);

}  // namespace aotscope
