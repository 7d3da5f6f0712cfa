#include "controllers/difference_controller.h"

#include "canvas/difference_picture.h"
#include "controllers/make_action.h"
#include "models/words/pass_titles.h"

#include <algorithm>

namespace aotscope {

namespace {

/// As a graph opens, with all visible differences unless they are half the graph.
ViewState openWhereDifferent(const DrawnGraph& drawn) {
    constexpr int most = 150;
    ViewState state = opening(drawn);
    if (!hasGroups(drawn)) return state;
    int revealedBoxes = 0;
    for (std::size_t i = 0; i < drawn.nodes.size() && revealedBoxes < most; ++i)
        if (differs(drawn.nodes[i])) {
            state = revealed(drawn, std::move(state), static_cast<int>(i));
            ++revealedBoxes;
        }
    return state;
}

}  // namespace

DifferenceController::DifferenceController(const Surroundings& around)
    : Controller(around),
      view_(new PassDifferenceView(pane_->parentWidget())),
      action_(makeToggle(this, QStringLiteral("actionDifference"), tr("&Difference Between Passes"), {Qt::Key_X},
                         tr("Shows the difference of two graphs of the run, as a graph and as text"),
                         [this](bool on) { show(on); })) {
    view_->hide();
    connect(view_, &PassDifferenceView::closeRequested, action_, [this] { action_->setChecked(false); });
    connect(view_, &PassDifferenceView::rangeChanged, this, &DifferenceController::showRange);
    connect(view_, &PassDifferenceView::nodeSelected, this, &DifferenceController::lead);
    connect(selection_, &Selection::changed, this, &DifferenceController::follow);
    // A requested graph comes to the front.
    connect(pane_, &GraphPane::graphChanged, this, [this] {
        if (shown() && stopOf(pane_->graph().get()) != view_->slider()->to()) action_->setChecked(false);
    });
    connect(&job_, &BackgroundJob::failed, this, &DifferenceController::failed);
}

void DifferenceController::setRecord(std::shared_ptr<const CompileRecord> record) {
    job_.cancel();
    record_ = std::move(record);
    follower_ = std::make_unique<NodeFollower>(record_);
    difference_.reset();
    compared_ = {-1, -1};
    graphs_ = graphsOf(*record_);
    QStringList titles;
    for (const PassGraph& graph : graphs_) titles << titleOf(*record_, graph);
    view_->setStops(titles);
    action_->setChecked(false);
}

void DifferenceController::show(bool shown) {
    const int to = shown && record_ ? stopOf(pane_->graph().get()) : -1;
    if (shown && to < 0) return action_->setChecked(false);
    // The other one first: what is hidden with the focus leaves it to what is visible.
    if (!shown) pane_->show();
    view_->setVisible(shown);
    if (!shown) return job_.cancel();
    pane_->hide();
    // Shows two graphs that the user has chosen, otherwise the changes of the pass of the shown graph.
    if (compared_.second != to) showRange(to == 0 ? 0 : stopBefore(to), to == 0 ? 1 : to);
    else showRange(compared_.first, to);
    view_->slider()->setFocus(Qt::OtherFocusReason);
}

/// The stop of a graph; -1: not in the list.
int DifferenceController::stopOf(const Graph* graph) const {
    const auto at = std::ranges::find(graphs_, graph, [](const PassGraph& g) { return g.graph.get(); });
    return at == graphs_.end() ? -1 : static_cast<int>(at - graphs_.begin());
}

int DifferenceController::stopBefore(int stop) const {
    return static_cast<int>(graphBefore(graphs_, static_cast<std::size_t>(stop)));
}

/// A pass that changed nothing has no differences to show.
void DifferenceController::followPass(int pass) {
    if (!shown()) return;
    const auto graph = graphAfter(*record_, static_cast<std::size_t>(pass), pane_->kind());
    const int to = graph ? stopOf(graph->graph.get()) : -1;
    if (to < 0) return;
    showRange(graph->pass == static_cast<std::size_t>(pass) ? stopBefore(to) : to, to);
}

void DifferenceController::showRange(int from, int to) {
    view_->setRange(from, to);
    const PassGraph& later = graphs_[static_cast<std::size_t>(view_->slider()->to())];
    pane_->showGraph(later.kind, later.graph);
    if (!shown()) {
        compared_ = {view_->slider()->from(), view_->slider()->to()};
        difference_.reset();
        return action_->setChecked(true);
    }
    compare();
    Q_EMIT rangeShown();
}

void DifferenceController::compare() {
    const std::pair range{view_->slider()->from(), view_->slider()->to()};
    if (range == compared_ && difference_) return;
    compared_ = range;
    difference_.reset();
    view_->wait();
    const PassGraph before = graphs_[static_cast<std::size_t>(range.first)],
                    after = graphs_[static_cast<std::size_t>(range.second)];
    job_.start<Answer>(
        tr("Comparing"),
        [record = record_, before, after](const Progress& progress) {
            auto difference = std::make_shared<GraphDifference>(
                compareGraphs(*record, before.graph, before.kind, after.graph, after.kind));
            progress.throwIfCancelled();
            auto drawn = withGroups(drawDifference(*record, *difference));
            return Answer{DifferenceLines::of(std::move(difference)), drawn, openWhereDifferent(*drawn)};
        },
        [this](const Answer& answer) {
            difference_ = answer.lines->difference;
            view_->showDifference(answer.lines, answer.drawn, answer.state);
            follow();
        });
}

/// Selecting a node here selects its counterpart in the graph of the window.
void DifferenceController::lead(NodeId node) {
    if (!difference_ || node == kNoNode) return;
    const bool ghost = isGhost(node);
    const Followed there = follower_->follow(ghost ? difference_->before : difference_->after,
                                             ghost ? difference_->kindBefore : difference_->kindAfter, originalId(node),
                                             selection_->graph(), selection_->kind());
    leading_ = true;
    selection_->select(there.first());
    leading_ = false;
}

void DifferenceController::follow() {
    if (leading_ || !shown() || !difference_) return;
    const Followed here = follower_->follow(selection_->graph(), selection_->kind(), selection_->node(),
                                            difference_->after, difference_->kindAfter);
    view_->select(here.how == Followed::How::lost ? kNoNode : here.first());
}

}  // namespace aotscope
