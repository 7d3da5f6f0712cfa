#pragma once

#include "compile/fused/groups.h"
#include "ir/graph.h"

#include <memory>
#include <unordered_map>

namespace aotscope {

/// A graph with one call in place of each group: of its inputs, bases and numbers in this order, to its outputs. A call
/// has the id of the group's last value, which comes first, so that observers see it as the result of the step.
struct GraphOfGroups {
    std::unique_ptr<Graph> graph;
    std::unordered_map<const Node*, std::size_t> groupOf;  ///< by call
};

GraphOfGroups graphOfGroups(const Graph& graph, const GroupedGraph& grouped);

/// The ids of the nodes of each group.
std::vector<std::vector<NodeId>> idsOf(const GroupedGraph& grouped);

/// The inputs whose memory the output of a group at `position` may take if nothing else holds it, in order of
/// preference.
std::vector<std::size_t> reusableInputs(const FusionGroup& group, std::size_t position);

/// Whether values are added to the output at `position`: to those of its base, or to zeros.
bool isAccumulated(const FusionGroup& group, std::size_t position);

}  // namespace aotscope
