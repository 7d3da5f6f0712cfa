#include "canvas/fates.h"

#include "io/text_report.h"

namespace aotscope {

namespace {

using Fate = ValueDecision::Fate;

/// Of the several values of one box the one that matters most tells its fate.
int weight(Fate fate) {
    switch (fate) {
        case Fate::saved: return 3;
        case Fate::recomputed: return 2;
        case Fate::backwardOnly: return 1;
        case Fate::forwardOnly: return 0;
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

QString changeTo(Fate now, Fate then) {
    if (now == then) return {};
    if (now == Fate::saved) return QObject::tr("now saved");
    if (now == Fate::recomputed) return QObject::tr("now recomputed");
    return then == Fate::saved ? QObject::tr("no longer saved") : QObject::tr("no longer recomputed");
}

/// Boxes, and for each box the value that tells its fate.
std::unordered_map<int, NodeId> speakers(const DrawnGraph& drawn, const std::unordered_map<NodeId, Fate>& fates) {
    std::unordered_map<int, NodeId> speaker;
    for (const auto& [id, box] : drawn.indexOf) {
        const auto fate = fates.find(id);
        if (fate == fates.end()) continue;
        const auto [known, isNew] = speaker.emplace(box, id);
        const int old = weight(fates.at(known->second)), mine = weight(fate->second);
        if (!isNew && (mine > old || (mine == old && id < known->second))) known->second = id;
    }
    return speaker;
}

}  // namespace

void markFates(DrawnGraph& drawn, const Graph& joint, const Partition& partition, const Partition* before) {
    const auto fates = fatesOf(joint, partition);
    const auto then = before ? fatesOf(joint, *before) : std::unordered_map<NodeId, Fate>();
    std::unordered_map<NodeId, QString> reasons;
    for (const auto& value : partition.saved) reasons[value.node] = toQString(value.reason);
    std::unordered_map<NodeId, const ValueDecision*> decisions;
    for (const auto& decision : partition.decisions) decisions[decision.node] = &decision;

    for (auto& box : drawn.nodes) box.fate = {};
    const auto speaking = speakers(drawn, fates);
    for (const auto& [index, id] : speaking) {
        DrawnNode::Fate& told = drawn.nodes[static_cast<std::size_t>(index)].fate;
        told.decided = fates.at(id);
        told.saved = told.decided == Fate::saved;
        QStringList lines{reasons[id]};
        if (const auto decision = decisions.find(id); decision != decisions.end()) lines << measure(*decision->second);
        lines.removeAll(QString());
        told.reason = lines.join(u'\n');
    }
    if (before) {
        const auto spoke = speakers(drawn, then);
        for (const auto& [index, id] : speaking)
            drawn.nodes[static_cast<std::size_t>(index)].fate.change = changeTo(fates.at(id), then.at(spoke.at(index)));
    }
    for (const auto& value : partition.saved)
        if (const auto box = drawn.indexOf.find(value.node); box != drawn.indexOf.end())
            drawn.nodes[static_cast<std::size_t>(box->second)].fate.savedBytes += value.type.bytes();
    for (const auto& value : partition.recomputed)
        if (const auto box = drawn.indexOf.find(value.node); box != drawn.indexOf.end())
            drawn.nodes[static_cast<std::size_t>(box->second)].fate.recomputed = true;
    for (auto& edge : drawn.edges) {
        const auto fate = fates.find(edge.value);
        edge.recomputed = edge.kind == DrawnEdge::Kind::rung && fate != fates.end() && fate->second == Fate::recomputed;
    }
}

}  // namespace aotscope
