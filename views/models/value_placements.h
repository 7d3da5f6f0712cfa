#pragma once

#include "record/partition.h"

#include <QString>
#include <span>
#include <unordered_map>

namespace aotscope {

/// The placement of every value of `joint`: from the partition's decisions, or from its lists if it has none.
std::unordered_map<NodeId, ValueDecision::Placement> placementsOf(const Graph& joint, const Partition& partition);
/// For these nodes of the joint graph only: fast for one value of a large graph.
std::unordered_map<NodeId, ValueDecision::Placement> placementsOf(std::span<const Node* const> nodes,
                                                                  const Partition& partition);

/// "saved", "recomputed", "forward only", "backward only".
QString describe(ValueDecision::Placement placement);

}  // namespace aotscope
