#pragma once

#include "compile/fused/fusion_candidate.h"
#include "compile/fused/groups.h"

namespace aotscope {

/// The segment of each node. Every operation that writes into its arguments is a separate segment.
std::vector<int> mutationSegmentsOf(const std::vector<Node*>& nodes);
/// Whether the node must not be reordered with others of this kind: it draws random numbers, or may have any effect.
bool keepsItsPlace(const Node& node);

/// Finds the candidates of a graph that are worth a kernel. With `savesMemory`, none of them keeps more memory while
/// other operations run than its operations would.
std::vector<FusionCandidate> findFusionCandidates(const Graph& graph, const GroupingOptions& options, bool savesMemory);

/// The kernel of `candidate`, which writes the values of `outputs`.
FusionGroup groupOf(const FusionCandidate& candidate, const std::vector<const Node*>& outputs);

}  // namespace aotscope
