#pragma once

#include "ops/decomposition_table.h"
#include "ops/operator_kinds.h"
#include "record/lowered_graph.h"

#include <memory>
#include <string>
#include <vector>

namespace aotscope {

/// Decomposes every operation of `graph` by `table` and removes what is dead then. The graph can be anything with
/// types: traced, or printed by Python. Throws Error where it cannot be run on fakes: sizes that vary, unknown
/// operators.
LoweredGraph lowerGraph(const Graph& graph, std::shared_ptr<const DecompositionTable> table, OperatorKinds allow = {});

struct IrLevel {
    std::string name;      ///< "ATen", "core ATen", "prims"
    LoweredGraph lowered;  ///< the first level is the graph itself and became itself
};

/// `graph` on all levels, each made from the one before.
std::vector<IrLevel> irLevels(const std::shared_ptr<const Graph>& graph);

}  // namespace aotscope
