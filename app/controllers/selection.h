#pragma once

#include "controllers/background_job.h"
#include "ir/subgraphs.h"
#include "record/history/node_follower.h"

#include <QObject>
#include <optional>
#include <vector>

namespace aotscope {

/// The one selection of the window: a node of the graph that is shown. Canvas, tables, inspector and pass list
/// all set it here and follow it from here.
class Selection : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    NodeId node() const { return node_; }
    /// The shown graph and the selected node in it or in what is run within it (null if none).
    const std::shared_ptr<const Graph>& graph() const { return graph_; }
    GraphKind kind() const { return kind_; }
    const Node* object() const { return graph_ ? findNode(*graph_, node_) : nullptr; }
    /// The subgraph that it is in, where an operator runs it; nothing: it is a node of the shown graph itself.
    std::optional<SubgraphRun> run() const { return graph_ ? runAround(*graph_, node_) : std::nullopt; }
    /// The node of the shown graph that it is, or in whose subgraphs it is.
    const Node* outermost() const { return graph_ ? graph_->findById(outermostOwner(*graph_, node_)) : nullptr; }

    /// Nodes that were selected beside the first one.
    const std::vector<NodeId>& others() const { return others_; }

    /// How nodes are followed from graph to graph of a run from now on. It may be another run than before.
    void setFollower(std::shared_ptr<NodeFollower> follower);
    NodeFollower* follower() const { return follower_.get(); }

    void select(NodeId node);
    /// The first of `nodes`, and the others beside it.
    void selectAll(const std::vector<NodeId>& nodes);
    /// Adds a node to what is selected, or takes it out.
    void toggle(NodeId node);
    /// Another graph is shown: the selection moves to the same node, else to what it became, else to where it comes
    /// from. It is always what was chosen last that is followed: back in its graph, it is that node again. Into another
    /// run, it moves to the same node or its nearest relative: nothing is selected until that is found in the
    /// background.
    void moveTo(std::shared_ptr<const Graph> graph, GraphKind kind);
    void clear();
    /// The selected node is looked for in another run.
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
    bool ofOtherRun_ = false;  ///< the graph is not one of the follower's
    /// The node that was chosen last, and where.
    struct Origin {
        std::shared_ptr<const Graph> graph;
        GraphKind kind = GraphKind::joint;
        NodeId node = kNoNode;
    } origin_;
    Origin lost_;  ///< in a graph of another run, what is looked for in this one; no graph: nothing is
    BackgroundJob job_;
};

}  // namespace aotscope
