#pragma once

#include "canvas/graph_view.h"
#include "canvas/layout_job.h"
#include "passes/record.h"

#include <QTabBar>
#include <QWidget>
#include <map>
#include <memory>

namespace aotscope {

/// The canvas with a tab for each graph of a run. Layouts are made in the background and kept.
class GraphPane : public QWidget {
    Q_OBJECT

public:
    explicit GraphPane(QWidget* parent = nullptr);

    /// Shows a run; the tab stays where it is if the run has that graph.
    void setRecord(std::shared_ptr<const CompileRecord> record);
    /// Shows a snapshot: the graph of one pass.
    void showGraph(GraphKind kind, std::shared_ptr<const Graph> graph);
    /// Shows the final graph of a kind.
    void showKind(GraphKind kind);
    /// Shows the flow network behind the partition; a large one around `centre`.
    void showNetwork(NodeId centre);
    bool showsNetwork() const { return network_; }

    /// Tabs for graphs that are made of the compiled one when they are asked for: levelAsked, then showLevel.
    void offerLevels(const QStringList& titles);
    void showLevel(int level, std::shared_ptr<const Graph> graph);

    /// Marks the final joint graph with what `partition` makes of its values, and with what differs from `before`
    /// (null: nothing is compared). The picture stands still.
    void setPartition(std::shared_ptr<const Partition> partition, std::shared_ptr<const Partition> before);
    /// Marks a node, and others beside it, and brings it into view.
    void select(NodeId node, const std::vector<NodeId>& others);

    GraphKind kind() const { return kind_; }
    const std::shared_ptr<const Graph>& graph() const { return graph_; }
    GraphView* view() const { return view_; }
    bool layoutRunning() const { return job_.running(); }

    /// Gives up a layout that is being made.
    void cancelLayout();

Q_SIGNALS:
    void nodeSelected(aotscope::NodeId node);
    void levelAsked(int level);
    /// Another graph is shown now; its picture may still be on its way.
    void graphChanged();
    void layoutStarted();
    void layoutFinished();

private:
    struct Picture {
        std::shared_ptr<const Graph> graph;
        std::shared_ptr<const DrawnGraph> drawn;
        std::shared_ptr<const GraphLayout> layout;
        std::shared_ptr<const DrawnGraph> asked;  ///< whose layout is being made: the same boxes as `drawn`
    };

    Picture& current() { return network_ ? networkPicture_ : pictures_[graph_.get()]; }
    std::shared_ptr<const DrawnGraph> marked(DrawnGraph drawn, const Graph* graph) const;
    void chooseTab(int tab);
    void take(GraphKind kind, std::shared_ptr<const Graph> graph);
    void showPicture();
    void rebuildTabs();
    void onLayout(std::shared_ptr<const DrawnGraph> drawn, std::shared_ptr<const GraphLayout> layout);

    QTabBar* tabs_;
    QStringList levels_;
    GraphView* view_;
    LayoutJob job_;
    std::shared_ptr<const CompileRecord> record_;
    GraphKind kind_ = GraphKind::joint;
    std::shared_ptr<const Graph> graph_;
    std::map<const Graph*, Picture> pictures_;
    std::shared_ptr<const Partition> partition_, before_;  ///< on the final joint graph
    bool network_ = false;                                 ///< the network of the joint graph is shown instead of it
    Picture networkPicture_;
    bool rebuilding_ = false;
};

/// The graph that is compiled: joint, or inference. Null if there is none.
std::pair<GraphKind, std::shared_ptr<const Graph>> compiledGraph(const CompileRecord& record);

/// What a person reads on the tab of a kind.
QString titleOf(GraphKind kind);

}  // namespace aotscope
