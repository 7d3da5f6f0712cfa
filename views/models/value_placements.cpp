#include "models/value_placements.h"

#include "models/to_qstring.h"

namespace aotscope {

std::unordered_map<NodeId, ValueDecision::Placement> placementsOf(const Graph& joint, const Partition& partition) {
    using Placement = ValueDecision::Placement;
    std::unordered_map<NodeId, Placement> placements;
    for (const Node* node : joint.nodes())
        if (node->kind() != NodeKind::output)
            placements[node->id()] = node->stage == Stage::backward ? Placement::backwardOnly : Placement::forwardOnly;
    for (const auto& decision : partition.decisions) placements[decision.node] = decision.placement;
    for (const auto& value : partition.recomputed) placements[value.node] = Placement::recomputed;
    for (const auto& value : partition.saved) placements[value.node] = Placement::saved;
    return placements;
}

QString describe(ValueDecision::Placement placement) { return toQString(name(placement)); }

}  // namespace aotscope
