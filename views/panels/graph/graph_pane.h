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

    /// Shows a run; the tab stays where it is if the run has that graph.
    void setRecord(std::shared_ptr<const CompileRecord> record);
    /// Shows a snapshot: the graph of one pass.
    void showGraph(GraphKind kind, std::shared_ptr<const Graph> graph);
    /// Shows the final graph of a kind.
    void showKind(GraphKind kind);
    /// Draws and lays out in the background a graph that is likely to be shown next. What is shown has priority.
    void prepare(GraphKind kind, std::shared_ptr<const Graph> graph);
    /// Shows the flow network behind the partition; a large one around `centre`.
    void showNetwork(NodeId centre);
    bool showsNetwork() const { return network_; }

    /// Says before the tabs which of two compared runs this is; empty: only one is shown.
    void setRunName(const QString& name);

    /// Tabs for graphs that are derived from the compiled one on demand: levelAsked, then showLevel.
    void offerLevels(const QStringList& titles);
    void showLevel(int level, std::shared_ptr<const Graph> graph);

    /// Marks the final joint graph with what `partition` makes of its values, and with what differs from `before`
    /// (null: nothing is compared). The picture stands still.
    void setPartition(std::shared_ptr<const Partition> partition, std::shared_ptr<const Partition> before);
    /// Gives boxes tints of their own, or none: with what is shown and whatever is shown later. The picture stands
    /// still.
    using Decoration = GraphMarks::Decoration;
    void setDecoration(Decoration decoration);
    /// Opens the closed groups around a node, now or when the picture is there.
    void reveal(NodeId node);
    /// Marks a node, and others beside it, and brings it into view.
    void select(NodeId node, const std::vector<NodeId>& others);

    GraphKind kind() const { return kind_; }
    const std::shared_ptr<const Graph>& graph() const { return graph_; }
    GraphView* view() const { return view_; }
    CanvasStrip* strip() const { return strip_; }
    GraphTabs* tabs() const { return tabs_; }
    bool layoutRunning() const { return job_.running() && asked_.isOf(graph_, network_); }
    /// A graph that is not shown is being laid out.
    bool preparing() const { return job_.running() && !layoutRunning(); }
    /// Boxes of a large graph are being marked anew.
    bool marking() const { return marking_.isRunning(); }

    /// Cancels the layout that is being computed.
    void cancelLayout();

    /// Shows the whole graph at once. Modules are closed, as a step that can be undone, where it would be too small.
    void fitAll();

    /// Whether modules open and close by themselves: so that the first picture can be read, and with the zoom. Else
    /// graphs open as a whole, but for large ones.
    void setAutomaticModules(bool automatic) { automatic_ = automatic; }
    bool automaticModules() const { return automatic_; }
    /// Opens the outermost closed modules, or closes the innermost open ones.
    void changeDepth(int step);
    /// Opens modules down to a depth; at 1 the outermost ones are boxes.
    void showDepth(int depth);

    /// Which groups of the shown graph are closed and which boxes are hidden.
    ViewState viewState() const { return current().state; }
    /// The shown graph with all its boxes and groups; null if there is none.
    std::shared_ptr<const DrawnGraph> wholeGraph() const { return current().whole; }
    /// A step that can be undone; of a graph without a picture, how it opens. `anchor`: the key of the group that
    /// stands still.
    void changeView(const QString& what, const ViewState& state, const QString& anchor = {});
    QUndoStack* undoStack() { return undo_; }
    /// Steps go onto this stack from now on.
    void setUndoStack(QUndoStack* stack) { undo_ = stack; }

Q_SIGNALS:
    void nodeSelected(aotscope::NodeId node);
    void levelAsked(int level);
    /// Another graph is shown; its layout may still be under way.
    void graphChanged();
    void layoutStarted();
    void layoutFinished();

private:
    struct Picture {
        std::shared_ptr<const Graph> graph;
        std::shared_ptr<const DrawnGraph> whole;  ///< every box
        ViewState state;
        std::shared_ptr<const DrawnGraph> drawn;  ///< the boxes that are seen
        std::shared_ptr<const GraphLayout> layout;
        bool asked = false;  ///< its layout is being made
        int markings = 0;    ///< with which its boxes are marked
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
    int markings_ = 0;  ///< how often they have changed
    QFutureWatcher<Marked> marking_;
    /// What the layout under way was asked for.
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
    std::optional<NodeId> toSelect_;  ///< when the picture is there
    NodeId toBringIntoView_ = kNoNode;
    ModuleChoices choices_;
    bool automatic_ = false;
    /// Whose picture is on the canvas.
    struct Displayed {
        std::shared_ptr<const CompileRecord> record;
        std::shared_ptr<const Graph> graph;
        GraphKind kind = GraphKind::joint;
    } displayed_;
    /// Where the nodes on the canvas are in a graph of another run, found while that is drawn; no map: not yet.
    struct OtherRun {
        std::shared_ptr<const Graph> before, after;
        std::optional<RunMap> map;
    };
    std::shared_ptr<OtherRun> otherRun_;
    QString anchor_;
    /// For the next picture, where that is not to be seen as the one before: another model from the top.
    std::optional<GraphView::Camera> camera_ = GraphView::Camera::fit;
    QUndoStack* undo_;
};

/// The graph that is compiled: joint, or inference. Null if there is none.
std::pair<GraphKind, std::shared_ptr<const Graph>> compiledGraph(const CompileRecord& record);

}  // namespace aotscope
