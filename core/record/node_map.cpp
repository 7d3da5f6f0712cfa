#include "record/node_map.h"

namespace aotscope {

namespace {

/// Kinds whose graphs share ids get the same number.
int lineage(GraphKind kind) {
    switch (kind) {
        case GraphKind::joint:
        case GraphKind::forward:
        case GraphKind::backward: return 100;
        case GraphKind::functional:
        case GraphKind::inference: return 101;
        default: return static_cast<int>(kind);
    }
}

}  // namespace

NodeId correspondingNode(const Graph& from, GraphKind fromKind, NodeId node, const Graph& to, GraphKind toKind) {
    if (node == kNoNode) return kNoNode;
    if (lineage(fromKind) == lineage(toKind)) return to.findById(node) ? node : kNoNode;
    for (const auto& [before, after] : diffGraphs(from, to, MatchBy::structure).matched)
        if (before == node) return after;
    return kNoNode;
}

}  // namespace aotscope
