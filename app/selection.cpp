#include "selection.h"

#include "passes/node_map.h"

namespace aotscope {

void Selection::select(NodeId node) {
    if (node == node_) return;
    node_ = node;
    Q_EMIT changed();
}

void Selection::moveTo(std::shared_ptr<const Graph> graph, GraphKind kind) {
    if (graph_ && graph) node_ = correspondingNode(*graph_, kind_, node_, *graph, kind);
    graph_ = std::move(graph);
    kind_ = kind;
    Q_EMIT changed();
}

void Selection::clear() {
    graph_.reset();
    node_ = kNoNode;
    Q_EMIT changed();
}

}  // namespace aotscope
