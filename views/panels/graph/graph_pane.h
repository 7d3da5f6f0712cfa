#pragma once

#include "canvas/layout/layout_job.h"
#include "canvas/view/graph_view.h"
#include "models/words/pass_titles.h"
#include "panels/graph/canvas_strip.h"
#include "panels/graph/graph_marks.h"
#include "panels/graph/graph_tabs.h"
#include "panels/graph/module_choices.h"
#include "record/compile_record.h"
#include "record/run_map.h"

#include <QFutureWatcher>
#include <QUndoStack>
#include <QWidget>
#include <map>
#include <memory>
#include <optional>

namespace aotscope {

class ElidedLabel;

/// The canvas with a tab for each graph of a run above it, and the strip below it. Layouts are computed in the
/// background and kept.
class GraphPane : public QWidget {
    Q_OBJECT

public:
    explicit GraphPane(QWidget* parent = nullptr);

    /// Shows a run; the tab stays the same if the run has that graph.
    void setRecord(std::shared_ptr<const CompileRecord> record);
    /// Shows a snapshot: the graph of one pass.
    void showGraph(GraphKind kind, std::shared_ptr<const Graph> graph);
    /// Shows the final graph of a kind.
    void showKind(GraphKind kind);
    /// Draws and lays out in the background a graph that is likely to be shown next. The shown graph has priority.
    void prepare(GraphKind kind, std::shared_ptr<const Graph> graph);
    /// Shows the flow network behind the partition; a large one around `centre`.
    void showNetwork(NodeId centre);
    bool showsNetwork() const { return network_; }

    /// The text before the tabs: which of two compared runs this is; empty: not compared.
    void setRunName(const QString& name);

    /// Tabs for graphs that are derived from the compiled one on demand: levelAsked, then showLevel.
    void offerLevels(const QStringList& titles);
    void showLevel(int level, std::shared_ptr<const Graph> graph);

    /// Marks the final joint graph with the placement of values by `partition`, and with the differences from `before`
    /// (null: not compared). The camera does not move.
    void setPartition(std::shared_ptr<const Partition> partition, std::shared_ptr<const Partition> before);
    /// Gives boxes tints of their own, or none: in this and later graphs. The camera does not move.
    using Decoration = GraphMarks::Decoration;
    void setDecoration(Decoration decoration);
    /// Opens the closed groups around a node, now or when the picture is ready.
    void reveal(NodeId node);
    /// Marks a node, and others beside it, and brings it into view.
    void select(NodeId node, const std::vector<NodeId>& others);

    GraphKind kind() const { return kind_; }
    const std::shared_ptr<const Graph>& graph() const { return graph_; }
    GraphView* view() const { return view_; }
    CanvasStrip* strip() const { return strip_; }
    GraphTabs* tabs() const { return tabs_; }
    bool layoutRunning() const { return job_.running() && asked_.isOf(graph_, network_); }
    /// A hidden graph is being laid out.
    bool preparing() const { return job_.running() && !layoutRunning(); }
    /// Boxes of a large graph are being marked again.
    bool marking() const { return marking_.isRunning(); }

    /// Cancels the layout that is being computed.
    void cancelLayout();

    /// Shows the whole graph at once. Modules are closed, undoably, if it would be too small.
    void fitAll();

    /// Whether modules open and close automatically: to make the first picture readable, and with the zoom. Otherwise
    /// graphs open completely, except large ones.
    void setAutomaticModules(bool automatic) { automatic_ = automatic; }
    bool automaticModules() const { return automatic_; }
    /// Opens the outermost closed modules, or closes the innermost open ones.
    void changeDepth(int step);
    /// Opens modules down to a depth; at 1 the outermost ones are boxes.
    void showDepth(int depth);

    /// Which groups of the shown graph are closed and which boxes are hidden.
    ViewState viewState() const { return current().state; }
    /// The shown graph with all its boxes and groups; null: none.
    std::shared_ptr<const DrawnGraph> wholeGraph() const { return current().whole; }
    /// An undo step; for a graph without a picture, its initial state. `anchor`: the key of the group that must not
    /// move.
    void changeView(const QString& what, const ViewState& state, const QString& anchor = {});
    QUndoStack* undoStack() { return undo_; }
    /// The undo stack for further steps.
    void setUndoStack(QUndoStack* stack) { undo_ = stack; }

Q_SIGNALS:
    void nodeSelected(aotscope::NodeId node);
    void levelAsked(int level);
    /// Another graph is shown; its layout may not be ready.
    void graphChanged();
    void layoutStarted();
    void layoutFinished();

private:
    struct Picture {
        std::shared_ptr<const Graph> graph;
        std::shared_ptr<const DrawnGraph> whole;  ///< every box
        ViewState state;
        std::shared_ptr<const DrawnGraph> drawn;  ///< the visible boxes
        std::shared_ptr<const GraphLayout> layout;
        bool asked = false;  ///< its layout is being computed
        int markings = 0;    ///< the current marks of its boxes
    };
    struct Marked {
        std::shared_ptr<const Graph> graph;
        ViewState state;
        int markings = 0;
        std::shared_ptr<const DrawnGraph> whole, drawn;
    };

    Picture& current() { return network_ ? networkPicture_ : pictures_[graph_.get()]; }
    const Picture& current() const;
    LayoutJob::Draw drawing(GraphKind kind, const Picture& picture) const;
    void startLayout(GraphKind kind, Picture& picture);
    void renewOtherRun();
    void setViewState(const ViewState& state, const QString& anchor);
    void followZoom(bool inwards, QPointF place);
    void zoomInto(const ViewState& state, const QString& anchor);
    bool opensByItself(GraphKind kind) const { return automatic_ && !network_ && !choices_.of(kind); }
    void refreshStrip();
    void display();
    GraphView::Camera cameraForNext();
    void markShown();
    void takeMarked(const Marked& marked);
    void take(GraphKind kind, std::shared_ptr<const Graph> graph);
    void showPicture();
    void onLayout(std::shared_ptr<const DrawnGraph> seen, std::shared_ptr<const GraphLayout> layout,
                  std::shared_ptr<const DrawnGraph> whole, const ViewState& state);

    ElidedLabel* runName_;
    GraphTabs* tabs_;
    GraphView* view_;
    CanvasStrip* strip_;
    LayoutJob job_;
    std::shared_ptr<const CompileRecord> record_;
    GraphKind kind_ = GraphKind::joint;
    std::shared_ptr<const Graph> graph_;
    std::map<const Graph*, Picture> pictures_;
    GraphMarks marks_;
    int markings_ = 0;  ///< the number of their changes
    QFutureWatcher<Marked> marking_;
    /// The target of the current layout.
    struct Asked {
        GraphKind kind = GraphKind::joint;
        std::shared_ptr<const Graph> graph;
        bool network = false;
        int markings = 0;
        Room room;
        bool isOf(const std::shared_ptr<const Graph>& other, bool ofNetwork) const {
            return graph == other && network == ofNetwork;
        }
    } asked_;
    bool network_ = false;  ///< the network of the joint graph is shown instead of it
    Picture networkPicture_;
    NodeId toReveal_ = kNoNode;
    std::optional<NodeId> toSelect_;  ///< when the picture is ready
    NodeId toBringIntoView_ = kNoNode;
    ModuleChoices choices_;
    bool automatic_ = false;
    /// The graph of the picture on the canvas.
    struct Displayed {
        std::shared_ptr<const CompileRecord> record;
        std::shared_ptr<const Graph> graph;
        GraphKind kind = GraphKind::joint;
    } displayed_;
    /// Where the nodes on the canvas are in a graph of another run, computed while that is drawn; no map: not yet.
    struct OtherRun {
        std::shared_ptr<const Graph> before, after;
        std::optional<RunMap> map;
    };
    std::shared_ptr<OtherRun> otherRun_;
    QString anchor_;
    /// The camera of the next picture, if it must not keep its place: another model from the top.
    std::optional<GraphView::Camera> camera_ = GraphView::Camera::fit;
    QUndoStack* undo_;
};

/// The compiled graph: joint, or inference. Null: none.
std::pair<GraphKind, std::shared_ptr<const Graph>> compiledGraph(const CompileRecord& record);

}  // namespace aotscope
