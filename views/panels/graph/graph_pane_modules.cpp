// Which modules of the shown graph are open: by command, and automatically with the zoom.

#include "canvas/view/text_zoom.h"
#include "panels/graph/graph_pane.h"
#include "panels/view_step.h"

namespace aotscope {

namespace {

constexpr double kSmallestOverview = 0.05;  ///< zoom; below, a deep graph is a line
constexpr int kMostInOverview = 80;         ///< boxes that a window shows at once
constexpr double kUnreadable = 0.5;         ///< zoom, of the usual one: lines of 5 pixels

}  // namespace

void GraphPane::changeView(const QString& what, const ViewState& state, const QString& anchor) {
    if (!graph_ || network_) return;
    if (!current().whole) {
        choices_.choose(kind_, state);
        job_.cancel();  // started with another choice
        return showPicture();
    }
    if (state == current().state) return;
    choices_.changedByHand(kind_, current().state, state, !anchor.isEmpty());
    undo_->push(new ViewStep(what, current().state, state,
                             [this, anchor, kind = kind_, graph = graph_](const ViewState& wanted) {
                                 if (graph_ != graph || network_) showGraph(kind, graph);
                                 setViewState(wanted, anchor);
                             }));
}

void GraphPane::fitAll() {
    const auto& whole = current().whole;
    if (network_ || !whole || !hasGroups(*whole) || view_->zoomOfAll() >= kSmallestOverview) return view_->fitAll();
    ViewState overview = readable(*whole, kMostInOverview);
    overview.hidden = current().state.hidden;
    if (overview == current().state) return view_->fitAll();
    camera_ = GraphView::Camera::all;
    changeView(tr("fit all"), overview);
}

void GraphPane::setViewState(const ViewState& state, const QString& anchor) {
    choices_.choose(kind_, state);
    Picture& picture = current();
    if (!picture.whole) return;
    picture.state = state;
    // Other graphs of this kind are shown the same way next time.
    for (auto& [graph, other] : pictures_)
        if (other.whole && other.whole->kind == kind_ && other.state != state) {
            other.state = state;
            other.layout.reset();
        }
    picture.layout.reset();
    anchor_ = anchor;
    startLayout(kind_, picture);
    Q_EMIT layoutStarted();
}

void GraphPane::reveal(NodeId node) {
    toReveal_ = node;
    if (node == kNoNode || network_ || layoutRunning()) return;
    toReveal_ = kNoNode;
    const Picture& picture = current();
    if (!picture.whole || !hasGroups(*picture.whole)) return;
    const auto box = picture.whole->indexOf.find(node);
    if (box == picture.whole->indexOf.end()) return;
    toBringIntoView_ = node;
    changeView(tr("show a node"), revealed(*picture.whole, picture.state, box->second));
    if (!layoutRunning()) toBringIntoView_ = kNoNode;  // it was to be seen before
}

void GraphPane::changeDepth(int step) {
    const auto& whole = current().whole;
    if (!whole || !hasGroups(*whole)) return;
    const OpenDepth depth = depthOf(*whole->groups, current().state);
    showDepth(step > 0 ? depth.closed + 1 : std::max(depth.open, 1));
}

void GraphPane::showDepth(int depth) {
    const auto& whole = current().whole;
    if (!whole || !hasGroups(*whole)) return;
    changeView(depth > whole->groups->deepest() ? tr("open all") : tr("open to depth %1").arg(depth),
               collapsedTo(*whole->groups, depth, current().state));
}

/// Zooming in opens the closed module in view; zooming out closes a level that is no longer readable. Modules that the
/// user has opened or closed are left alone.
void GraphPane::followZoom(bool inwards, QPointF place) {
    const Picture& picture = current();
    if (!automatic_ || network_ || layoutRunning() || !picture.layout || !hasGroups(*picture.whole)) return;
    const GroupTree& tree = *picture.whole->groups;
    const QSet<QString>& byHand = choices_.byHand(kind_);
    if (inwards) {
        const int group = view_->groupFilling(place);
        if (group >= 0 && !byHand.contains(tree[group].key))
            zoomInto(toggled(tree, picture.state, group, true), tree[group].key);
        return;
    }
    if (view_->zoom() > kUnreadable * usualZoom()) return;
    const ViewState closed = closedByZoom(tree, picture.state, byHand);
    int group = view_->groupAt(place);
    while (group > 0 && closed.collapsed.contains(tree[group].key) == picture.state.collapsed.contains(tree[group].key))
        group = tree[group].parent;
    if (closed != picture.state) zoomInto(closed, group > 0 ? tree[group].key : QString());
}

/// Not undoable: turning the wheel back does that.
void GraphPane::zoomInto(const ViewState& state, const QString& anchor) {
    camera_ = GraphView::Camera::zoomed;
    setViewState(state, anchor);
}

void GraphPane::refreshStrip() {
    const Picture& picture = current();
    if (network_ || !picture.layout || !picture.whole || !hasGroups(*picture.whole)) return strip_->showNoModules();
    const GroupTree& tree = *picture.whole->groups;
    strip_->showDepth(depthOf(tree, picture.state), tree.deepest() + 1);
}

}  // namespace aotscope
