#include "models/value_placements.h"

#include "models/words/to_qstring.h"

namespace aotscope {

std::unordered_map<NodeId, ValueDecision::Placement> placementsOf(std::span<const Node* const> nodes,
                                                                  const Partition& partition) {
    using Placement = ValueDecision::Placement;
    std::unordered_map<NodeId, Placement> placements;
    for (const Node* node : nodes)
        if (node->kind() != NodeKind::output)
            placements[node->id()] = node->stage == Stage::backward ? Placement::backwardOnly : Placement::forwardOnly;
    const auto place = [&](NodeId node, Placement placement) {
        if (const auto known = placements.find(node); known != placements.end()) known->second = placement;
    };
    for (const auto& decision : partition.decisions) place(decision.node, decision.placement);
    for (const auto& value : partition.recomputed) place(value.node, Placement::recomputed);
    for (const auto& value : partition.saved) place(value.node, Placement::saved);
    return placements;
}

std::unordered_map<NodeId, ValueDecision::Placement> placementsOf(const Graph& joint, const Partition& partition) {
    const std::vector<Node*> nodes = joint.nodes();
    return placementsOf(std::vector<const Node*>(nodes.begin(), nodes.end()), partition);
}

QString describe(ValueDecision::Placement placement) { return toQString(name(placement)); }

}  // namespace aotscope
