#pragma once

#include "ir/graph.h"

#include <vector>

namespace aotscope {

/// For every node of a graph, by position, its origin in the previous graph; null for new nodes.
using Origins = std::vector<const Node*>;

/// FX passes keep the names of existing nodes; after a retrace, nodes are paired by structure. Both graphs must have
/// the ids that they were read with.
Origins originsOf(const Graph& before, const Graph& after);

/// Gives the nodes of `after` that a pass has kept their ids in the previous graph, so that nodes can be followed
/// through passes by id. All others get ids from `next` on.
void continueLineage(const Origins& origins, Graph& after, NodeId& next);

}  // namespace aotscope
