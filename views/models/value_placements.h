#pragma once

#include "record/partition.h"

#include <QString>
#include <span>
#include <unordered_map>

namespace aotscope {

/// What becomes of every value of `joint`: as the partition's decisions say it, or from its lists where it has none.
std::unordered_map<NodeId, ValueDecision::Placement> placementsOf(const Graph& joint, const Partition& partition);
/// Of these nodes of the joint graph only: a look at one value of a large graph is quick then.
std::unordered_map<NodeId, ValueDecision::Placement> placementsOf(std::span<const Node* const> nodes,
                                                                  const Partition& partition);

/// "saved", "recomputed", "forward only", "backward only".
QString describe(ValueDecision::Placement placement);

}  // namespace aotscope
