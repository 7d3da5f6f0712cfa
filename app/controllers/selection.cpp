#include "controllers/selection.h"

#include "record/run_map.h"

#include <algorithm>
#include <utility>

namespace aotscope {

void Selection::select(NodeId node) {
    forgetLost();
    if (node == node_ && others_.empty()) return;
    node_ = node;
    others_.clear();
    origin_ = {graph_, kind_, node_};
    Q_EMIT changed();
}

void Selection::selectAll(const std::vector<NodeId>& nodes) {
    if (nodes.empty()) return select(kNoNode);
    forgetLost();
    node_ = nodes.front();
    others_.assign(nodes.begin() + 1, nodes.end());
    origin_ = {graph_, kind_, node_};
    Q_EMIT changed();
}

void Selection::setFollower(std::shared_ptr<NodeFollower> follower) {
    follower_ = std::move(follower);
    ofOtherRun_ = graph_ != nullptr;
    origin_ = {};
}

void Selection::toggle(NodeId node) {
    if (node_ == kNoNode) return select(node);
    forgetLost();
    const auto known = std::find(others_.begin(), others_.end(), node);
    if (node == node_) {
        node_ = others_.empty() ? kNoNode : others_.front();
        if (!others_.empty()) others_.erase(others_.begin());
    } else if (known != others_.end()) {
        others_.erase(known);
    } else {
        others_.push_back(node);
    }
    origin_ = {graph_, kind_, node_};
    Q_EMIT changed();
}

void Selection::moveTo(std::shared_ptr<const Graph> graph, GraphKind kind) {
    const bool ofOtherRun = graph && std::exchange(ofOtherRun_, false);
    if (!ofOtherRun && !lost_.graph && follower_ && origin_.graph && graph)
        node_ = follower_->follow(origin_.graph, origin_.kind, origin_.node, graph, kind).first();
    else if (graph_ && graph && node_ != kNoNode) lost_ = {graph_, kind_, std::exchange(node_, kNoNode)};
    graph_ = std::move(graph);
    kind_ = kind;
    if (!origin_.graph) origin_ = {graph_, kind_, node_};
    others_.clear();
    Q_EMIT changed();
    if (lost_.graph) findLost();
}

/// In the shown graph, which may have changed since the selection was lost.
void Selection::findLost() {
    job_.cancel();
    if (!graph_) return forgetLost();
    job_.start<NodeId>(
        tr("Finding the selected node"),
        [lost = lost_, graph = graph_](const Progress&) {
            return RunMap(*lost.graph, *graph).of(outermostOwner(*lost.graph, lost.node));
        },
        [this](NodeId found) { select(found); });
}

void Selection::forgetLost() {
    job_.cancel();
    lost_ = {};
}

void Selection::clear() {
    forgetLost();
    graph_.reset();
    ofOtherRun_ = false;
    node_ = kNoNode;
    others_.clear();
    origin_ = {};
    Q_EMIT changed();
}

}  // namespace aotscope
