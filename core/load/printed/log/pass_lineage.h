#pragma once

#include "ir/graph.h"

#include <vector>

namespace aotscope {

/// Of every node of a graph, by position, the node of the graph before that it is; null: it is new.
using Origins = std::vector<const Node*>;

/// FX passes keep the names of the nodes that they keep; where a graph was traced anew, nodes are paired by their
/// structure. Both graphs have the ids that they were read with.
Origins originsOf(const Graph& before, const Graph& after);

/// Gives the nodes of `after` that a pass has kept the ids that they have in the graph before, so that everything that
/// follows nodes through passes can go by ids. All others get ids from `next` on.
void continueLineage(const Origins& origins, Graph& after, NodeId& next);

}  // namespace aotscope
