#include "controllers/search_controller.h"

#include "controllers/make_action.h"

#include <algorithm>

namespace aotscope {

SearchController::SearchController(const Surroundings& around) : Controller(around), panel_(new SearchPanel(window_)) {
    constexpr int pauseMs = 120;
    waiting_.setSingleShot(true);
    waiting_.setInterval(pauseMs);
    connect(&waiting_, &QTimer::timeout, this, &SearchController::lookFor);
    QueryEdit* edit = panel_->edit();
    connect(edit, &QLineEdit::textChanged, &waiting_, qOverload<>(&QTimer::start));
    connect(edit, &QLineEdit::textEdited, this, [this](const QString& text) {
        if (!text.isEmpty()) Q_EMIT shown();
    });
    connect(edit, &QueryEdit::nextRequested, this, &SearchController::next);
    connect(edit, &QueryEdit::previousRequested, this, &SearchController::previous);
    connect(edit, &QueryEdit::closeRequested, this, &SearchController::close);
    connect(panel_, &SearchPanel::hitChosen, this, &SearchController::goTo);
    connect(selection_, &Selection::changed, this, &SearchController::mark);
    connect(pane_, &GraphPane::layoutFinished, this, &SearchController::mark);
    connect(&job_, &BackgroundJob::failed, this, [this](const std::exception_ptr& error) {
        if (const QString why = whyFailed(error); !why.isEmpty()) panel_->showError(why);
    });
    actions_ = {makeAction(this, QStringLiteral("actionFind"), tr("&Find Nodes…"), {QKeySequence::Find, Qt::Key_Slash},
                           tr("Finds nodes in all graphs of the run"), [this] { start(); }),
                makeAction(this, QStringLiteral("actionFindNext"), tr("Next &Hit"), {Qt::Key_F3},
                           tr("Goes to the next hit, across all graphs"), [this] { next(); }),
                makeAction(this, QStringLiteral("actionFindPrevious"), tr("Previous Hi&t"), {Qt::SHIFT | Qt::Key_F3},
                           tr("Goes to the previous hit, across all graphs"), [this] { previous(); })};
}

void SearchController::setRecord(std::shared_ptr<const CompileRecord> record) {
    record_ = std::move(record);
    timing_.reset();
    job_.cancel();
    panel_->showResult(nullptr, {});
    lookFor();
}

void SearchController::setTiming(std::shared_ptr<const TimingResult> timing) {
    timing_ = std::move(timing);
    if (panel_->edit()->text().contains(QLatin1String("time"))) lookFor();
}

void SearchController::start() {
    Q_EMIT shown();
    panel_->edit()->setFocus(Qt::ShortcutFocusReason);
    panel_->edit()->selectAll();
}

void SearchController::close() {
    Q_EMIT closed();
    pane_->view()->setFocus(Qt::OtherFocusReason);
}

void SearchController::forget() {
    panel_->edit()->clear();
    lookFor();
}

void SearchController::lookFor() {
    waiting_.stop();
    job_.cancel();
    const std::string text = panel_->edit()->text().trimmed().toStdString();
    if (text.empty() || !record_) {
        panel_->clear();
        return mark();
    }
    try {
        job_.start<SearchResult>(
            tr("Searching"),
            [record = record_, timing = timing_, query = Query::parse(text)](const Progress& progress) {
                return search(*record, query, timing.get(), progress);
            },
            [this](SearchResult result) { onResult(std::move(result)); });
    } catch (const QueryError& e) {
        panel_->showError(toQString(e.what()));
        stepWhenFound_ = 0;
        mark();
    }
}

void SearchController::onResult(SearchResult result) {
    panel_->showResult(record_, std::move(result));
    if (const int direction = std::exchange(stepWhenFound_, 0)) step(direction);
    mark();
}

void SearchController::next() { step(1); }
void SearchController::previous() { step(-1); }

/// From the selected node, or from the first hit of the shown graph, through all graphs in a cycle.
void SearchController::step(int direction) {
    if (waiting_.isActive()) lookFor();
    if (job_.running()) {
        stepWhenFound_ = direction;
        return;
    }
    const SearchResult& result = panel_->model().result();
    if (result.hits == 0) return;
    const auto here = positionOfSelection();
    if (here) return goTo((*here + result.hits + static_cast<std::size_t>(direction + 1) - 1) % result.hits);
    const auto shown = std::ranges::find(result.groups, pane_->graph(), [](auto& g) { return g.where.graph; });
    if (shown == result.groups.end()) return goTo(direction > 0 ? 0 : result.hits - 1);
    const auto group = static_cast<std::size_t>(shown - result.groups.begin());
    goTo(panel_->model().firstOf(group) + (direction > 0 ? 0 : shown->nodes.size() - 1));
}

std::optional<std::size_t> SearchController::positionOfSelection() const {
    const auto& groups = panel_->model().result().groups;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        if (groups[g].where.graph != pane_->graph()) continue;
        const auto it = std::ranges::find(groups[g].nodes, selection_->node());
        if (it != groups[g].nodes.end())
            return panel_->model().firstOf(g) + static_cast<std::size_t>(it - groups[g].nodes.begin());
    }
    return std::nullopt;
}

void SearchController::goTo(std::size_t position) {
    const QModelIndex index = panel_->model().hit(position);
    const SearchGroup& group = panel_->model().result().groups[static_cast<std::size_t>(index.parent().row())];
    // A selection in another graph does not count here.
    if (group.where.graph != pane_->graph()) pane_->showGraph(group.where.kind, group.where.graph);
    const NodeId node = group.nodes[static_cast<std::size_t>(index.row())];
    selection_->select(node);
    pane_->reveal(node);
}

/// The hits of the shown graph.
void SearchController::mark() {
    std::vector<NodeId> found;
    for (const SearchGroup& group : panel_->model().result().groups)
        if (group.where.graph == pane_->graph()) found = group.nodes;
    panel_->setCurrent(positionOfSelection());
    pane_->view()->setHits(found);
}

}  // namespace aotscope
