#pragma once

#include "trace/trace.h"

#include <unordered_map>

namespace aotscope {

/// A graph whose operations have been decomposed, and what became of each node of the original.
struct DecomposedGraph : Trace {
    /// By the id of a node of the original: the nodes that it became, in order. Empty for one that left none: it folded
    /// into a constant, or its value is that of another node.
    std::unordered_map<NodeId, std::vector<NodeId>> became;
};

/// Runs `graph`, whose constants are `constants` as far as they are at hand, on fakes and records it again by `table`.
/// For graphs without a program, which is what was printed. Throws Error for a graph whose sizes vary and for one with
/// types missing.
DecomposedGraph decomposeGraph(const Graph& graph, const ConstantTable& constants,
                               std::shared_ptr<const DecompositionTable> table);

}  // namespace aotscope
