#pragma once

#include "compile/fused/cluster.h"
#include "compile/fused/groups.h"

namespace aotscope {

/// Nodes in stretches between operations that write into their arguments, each of which is one of its own.
std::vector<int> stretchesOf(const std::vector<Node*>& nodes);
/// Whether the node must not change places with others of this kind: it draws random numbers, or may do anything.
bool keepsItsPlace(const Node& node);

/// Finds the clusters of a graph that are worth a kernel.
std::vector<Cluster> findClusters(const Graph& graph, const GroupingOptions& options);

/// The kernel of `cluster`, which writes the values of `outputs`.
FusedGroup groupOf(const Cluster& cluster, const std::vector<const Node*>& outputs);

}  // namespace aotscope
