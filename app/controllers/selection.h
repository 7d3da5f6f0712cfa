#pragma once

#include "controllers/background_job.h"
#include "ir/subgraphs.h"
#include "record/history/node_follower.h"

#include <QObject>
#include <optional>
#include <vector>

namespace aotscope {

/// The one selection of the window: a node of the shown graph. Canvas, tables, inspector and pass list all set it here
/// and follow it from here.
class Selection : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    NodeId node() const { return node_; }
    /// The shown graph and the selected node in it or in its subgraphs (null if none).
    const std::shared_ptr<const Graph>& graph() const { return graph_; }
    GraphKind kind() const { return kind_; }
    const Node* object() const { return graph_ ? findNode(*graph_, node_) : nullptr; }
    /// The subgraph that contains it; nothing: it is a node of the shown graph itself.
    std::optional<SubgraphRun> run() const { return graph_ ? runAround(*graph_, node_) : std::nullopt; }
    /// The node of the shown graph that it is, or whose subgraphs contain it.
    const Node* outermost() const { return graph_ ? graph_->findById(outermostOwner(*graph_, node_)) : nullptr; }

    /// Nodes selected in addition to the first one.
    const std::vector<NodeId>& others() const { return others_; }

    /// How to follow nodes from graph to graph of a run from now on. The run may have changed.
    void setFollower(std::shared_ptr<NodeFollower> follower);
    NodeFollower* follower() const { return follower_.get(); }

    void select(NodeId node);
    /// Selects the first of `nodes`, and the others in addition to it.
    void selectAll(const std::vector<NodeId>& nodes);
    /// Adds a node to the selection, or removes it.
    void toggle(NodeId node);
    /// Another graph is shown: the selection moves to the same node, else to what it became, else to what it comes
    /// from. It always follows the last node that was chosen: back in that node's graph, it is that node again. In
    /// another run, it moves to the same node or its nearest relative: nothing is selected until that is found in the
    /// background.
    void moveTo(std::shared_ptr<const Graph> graph, GraphKind kind);
    void clear();
    /// The selected node is being looked up in another run.
    bool busy() const { return job_.running(); }

Q_SIGNALS:
    void changed();

private:
    void findLost();
    void forgetLost();

    std::shared_ptr<const Graph> graph_;
    GraphKind kind_ = GraphKind::joint;
    NodeId node_ = kNoNode;
    std::vector<NodeId> others_;
    std::shared_ptr<NodeFollower> follower_;
    bool ofOtherRun_ = false;  ///< the graph is unknown to the follower
    /// The last chosen node, and its graph.
    struct Origin {
        std::shared_ptr<const Graph> graph;
        GraphKind kind = GraphKind::joint;
        NodeId node = kNoNode;
    } origin_;
    Origin lost_;  ///< the node to look up in this run, in a graph of another one; no graph: nothing
    BackgroundJob job_;
};

}  // namespace aotscope
