#pragma once

#include "ir/graph.h"

#include <utility>
#include <vector>

namespace aotscope {

/// Removes operations with unused results, and arguments that no kernel reads. Keeps random operations and mutations.
/// Returns whether anything changed. Counterpart of torch.fx's eliminate_dead_code.
bool eliminateDeadCode(Graph& graph);
/// Whether eliminateDeadCode() would change anything.
bool hasDeadCode(const Graph& graph);

/// Merges operations that compute the same value. Keeps random operations, `empty`, and values that share memory with
/// an output. Appends (merged, kept) pairs to `merged`. Returns whether anything changed. Counterpart of fx_graph_cse
/// in torch/_functorch/compile_utils.py.
bool eliminateCommonSubexpressions(Graph& graph, std::vector<std::pair<NodeId, NodeId>>& merged);
/// False if eliminateCommonSubexpressions() cannot change anything.
bool mayHaveCommonSubexpressions(const Graph& graph);

}  // namespace aotscope
