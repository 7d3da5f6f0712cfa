#include "canvas/layout/placements.h"

#include "record/partition_figures.h"
#include "support/formatted.h"

namespace aotscope {

namespace {

using Placement = ValueDecision::Placement;

/// If a box has several values, the most important one determines its placement.
int weight(Placement placement) {
    switch (placement) {
        case Placement::saved: return 3;
        case Placement::recomputed: return 2;
        case Placement::backwardOnly: return 1;
        case Placement::forwardOnly: return 0;
    }
    return 0;
}

QString measure(const ValueDecision& decision) {
    QStringList parts;
    if (decision.bytes > 0) parts << toQString(formatBytes(decision.bytes));
    if (decision.distance > 0 && decision.distance < kNoBackwardUse)
        parts << (decision.distance == 1 ? QObject::tr("1 operation from backward")
                                         : QObject::tr("%1 operations from backward").arg(decision.distance));
    return parts.join(QStringLiteral(", "));
}

QString changeTo(Placement now, Placement then) {
    const auto told = [](Placement placement) {
        return placement == Placement::saved || placement == Placement::recomputed;
    };
    if (now == then || (!told(now) && !told(then))) return {};
    if (now == Placement::saved) return QObject::tr("now saved");
    if (now == Placement::recomputed) return QObject::tr("now recomputed");
    return then == Placement::saved ? QObject::tr("no longer saved") : QObject::tr("no longer recomputed");
}

/// Boxes, and for each box the value that determines its placement.
std::unordered_map<int, NodeId> speakers(const DrawnGraph& drawn,
                                         const std::unordered_map<NodeId, Placement>& placements) {
    std::unordered_map<int, NodeId> speaker;
    for (const auto& [id, box] : drawn.indexOf) {
        const auto placement = placements.find(id);
        if (placement == placements.end()) continue;
        const auto [known, isNew] = speaker.emplace(box, id);
        const int old = weight(placements.at(known->second)), mine = weight(placement->second);
        if (!isNew && (mine > old || (mine == old && id < known->second))) known->second = id;
    }
    return speaker;
}

void markFigures(DrawnGraph& drawn, const Partition& partition) {
    const PartitionFigures figures = figuresOf(partition);
    DrawnNode::Placement nowhere;
    const auto placementOf = [&](NodeId node) -> DrawnNode::Placement& {
        const auto box = drawn.indexOf.find(node);
        return box == drawn.indexOf.end() ? nowhere : drawn.nodes[static_cast<std::size_t>(box->second)].placement;
    };
    for (std::size_t i = 0; i < partition.saved.size(); ++i) {
        DrawnNode::Placement& told = placementOf(partition.saved[i].node);
        told.savedValues += figures.saved[i].share == SavedShare::own ? 1 : 0;
        told.savedBytes += figures.saved[i].bytes;
    }
    for (std::size_t i = 0; i < partition.recomputed.size(); ++i) {
        DrawnNode::Placement& told = placementOf(partition.recomputed[i].node);
        told.recomputed = true;
        told.recomputedOps += figures.recomputed[i] ? 1 : 0;
    }
}

}  // namespace

void markPlacements(DrawnGraph& drawn, const Graph& joint, const Partition& partition, const Partition* before) {
    const auto placements = placementsOf(joint, partition);
    const auto then = before ? placementsOf(joint, *before) : std::unordered_map<NodeId, Placement>();
    std::unordered_map<NodeId, QString> reasons;
    for (const auto& value : partition.saved) reasons[value.node] = toQString(value.reason);
    std::unordered_map<NodeId, const ValueDecision*> decisions;
    for (const auto& decision : partition.decisions) decisions[decision.node] = &decision;

    for (auto& box : drawn.nodes) box.placement = {};
    const auto speaking = speakers(drawn, placements);
    for (const auto& [index, id] : speaking) {
        DrawnNode::Placement& told = drawn.nodes[static_cast<std::size_t>(index)].placement;
        told.decided = placements.at(id);
        told.saved = told.decided == Placement::saved;
        QStringList lines{reasons[id]};
        if (const auto decision = decisions.find(id); decision != decisions.end()) lines << measure(*decision->second);
        lines.removeAll(QString());
        told.reason = lines.join(u'\n');
    }
    if (before) {
        const auto spoke = speakers(drawn, then);
        for (const auto& [index, id] : speaking)
            drawn.nodes[static_cast<std::size_t>(index)].placement.change =
                changeTo(placements.at(id), then.at(spoke.at(index)));
    }
    markFigures(drawn, partition);
    for (auto& edge : drawn.edges) {
        const auto placement = placements.find(edge.value);
        edge.recomputed = edge.kind == DrawnEdge::Kind::rung && placement != placements.end() &&
                          placement->second == Placement::recomputed;
    }
}

}  // namespace aotscope
