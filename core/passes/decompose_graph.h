#pragma once

#include "trace/trace.h"

#include <unordered_map>

namespace aotscope {

/// A graph with decomposed operations, and the nodes that replaced each original node.
struct DecomposedGraph : Trace {
    /// By id of an original node: the nodes that replaced it, in order. Empty if it was folded into a constant, or
    /// replaced by another node's value.
    std::unordered_map<NodeId, std::vector<NodeId>> became;
};

/// Runs `graph` on fake tensors, with the available `constants`, and records it with decompositions from `table`. For
/// graphs without a program, such as printed ones. Throws Error for a graph with dynamic shapes or missing types.
DecomposedGraph decomposeGraph(const Graph& graph, const ConstantTable& constants,
                               const std::shared_ptr<const DecompositionTable>& table);

}  // namespace aotscope
