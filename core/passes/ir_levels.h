#pragma once

#include "ops/decompositions/decomposition_table.h"
#include "ops/operator_kinds.h"
#include "record/lowered_graph.h"

#include <memory>
#include <vector>

namespace aotscope {

/// Decomposes every operation of `graph` with `table` and removes dead code. The graph may be traced or printed by
/// Python, but needs types. Throws Error if it cannot run on fake tensors: dynamic shapes, unknown operators.
LoweredGraph lowerGraph(const Graph& graph, const std::shared_ptr<const DecompositionTable>& table,
                        OperatorKinds allow = {});

/// `graph` on all levels, each derived from the previous one.
std::vector<IrLevel> irLevels(const std::shared_ptr<const Graph>& graph);

}  // namespace aotscope
