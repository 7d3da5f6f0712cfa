#pragma once

#include "ir/graph.h"

namespace aotscope {

/// Subgraphs nest no deeper than this; readers of files refuse what does.
inline constexpr int kDeepestSubgraph = 32;

using Subgraphs = std::vector<std::shared_ptr<const Graph>>;

/// The subgraphs that `node` runs, each once.
Subgraphs subgraphsOf(const Node& node);
/// Those of all nodes of `graph`, in the order of the nodes, each once; not the subgraphs of these.
Subgraphs subgraphsOf(const Graph& graph);

/// The same with the subgraphs within, each once: where many nodes share them, there are far more ways to them.
Subgraphs subgraphsWithin(const Node& node);
Subgraphs subgraphsWithin(const Graph& graph);

}  // namespace aotscope
