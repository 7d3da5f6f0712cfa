#pragma once

#include "record/node_follower.h"

#include <QObject>
#include <vector>

namespace aotscope {

/// The one selection of the window: a node of the graph that is shown. Canvas, tables, inspector and pass list
/// all set it here and follow it from here.
class Selection : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    NodeId node() const { return node_; }
    /// The shown graph and the selected node in it (null if none).
    const std::shared_ptr<const Graph>& graph() const { return graph_; }
    GraphKind kind() const { return kind_; }
    const Node* object() const { return graph_ ? graph_->findById(node_) : nullptr; }

    /// Nodes that were selected beside the first one.
    const std::vector<NodeId>& others() const { return others_; }

    /// How nodes are followed from graph to graph of a run from now on.
    void setFollower(std::shared_ptr<NodeFollower> follower);
    NodeFollower* follower() const { return follower_.get(); }

    void select(NodeId node);
    /// The first of `nodes`, and the others beside it.
    void selectAll(const std::vector<NodeId>& nodes);
    /// Adds a node to what is selected, or takes it out.
    void toggle(NodeId node);
    /// Another graph is shown: the selection moves to the same node, else to what it became, else to where it comes
    /// from. It is always what was chosen last that is followed: back in its graph, it is that node again. To a graph
    /// of another run, to the node like it.
    void moveTo(std::shared_ptr<const Graph> graph, GraphKind kind);
    void clear();

Q_SIGNALS:
    void changed();

private:
    std::shared_ptr<const Graph> graph_;
    GraphKind kind_ = GraphKind::joint;
    NodeId node_ = kNoNode;
    std::vector<NodeId> others_;
    std::shared_ptr<NodeFollower> follower_;
    /// The node that was chosen last, and where.
    struct Origin {
        std::shared_ptr<const Graph> graph;
        GraphKind kind = GraphKind::joint;
        NodeId node = kNoNode;
    } origin_;
};

}  // namespace aotscope
