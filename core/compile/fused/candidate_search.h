#pragma once

#include "compile/fused/fusion_candidate.h"
#include "compile/fused/groups.h"

namespace aotscope {

/// Nodes in segments between operations that write into their arguments, each of which is one of its own.
std::vector<int> mutationSegmentsOf(const std::vector<Node*>& nodes);
/// Whether the node must not change places with others of this kind: it draws random numbers, or may do anything.
bool keepsItsPlace(const Node& node);

/// Finds the candidates of a graph that are worth a kernel.
std::vector<FusionCandidate> findFusionCandidates(const Graph& graph, const GroupingOptions& options);

/// The kernel of `candidate`, which writes the values of `outputs`.
FusionGroup groupOf(const FusionCandidate& candidate, const std::vector<const Node*>& outputs);

}  // namespace aotscope
