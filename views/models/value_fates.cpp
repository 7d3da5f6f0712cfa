#include "models/value_fates.h"

#include "models/to_qstring.h"

namespace aotscope {

std::unordered_map<NodeId, ValueDecision::Fate> fatesOf(const Graph& joint, const Partition& partition) {
    using Fate = ValueDecision::Fate;
    std::unordered_map<NodeId, Fate> fates;
    for (const Node* node : joint.nodes())
        if (node->kind() != NodeKind::output)
            fates[node->id()] = node->stage == Stage::backward ? Fate::backwardOnly : Fate::forwardOnly;
    for (const auto& decision : partition.decisions) fates[decision.node] = decision.fate;
    for (const auto& value : partition.recomputed) fates[value.node] = Fate::recomputed;
    for (const auto& value : partition.saved) fates[value.node] = Fate::saved;
    return fates;
}

QString describe(ValueDecision::Fate fate) { return toQString(name(fate)); }

}  // namespace aotscope
