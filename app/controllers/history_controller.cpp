#include "controllers/history_controller.h"

#include "models/words/node_words.h"

#include <algorithm>

namespace aotscope {

HistoryController::HistoryController(const Surroundings& around)
    : Controller(around), panel_(new HistoryPanel(window_)) {
    connect(panel_, &HistoryPanel::stepChosen, this, &HistoryController::goTo);
    connect(selection_, &Selection::changed, this, &HistoryController::refresh);
}

void HistoryController::setRecord(std::shared_ptr<const CompileRecord> record) {
    job_.cancel();
    follower_ = std::make_shared<NodeFollower>(std::move(record));
    refresh();
}

void HistoryController::setWanted(bool wanted) {
    const bool refreshes = wanted && !wanted_;
    wanted_ = wanted;
    if (refreshes) refresh();
}

void HistoryController::refresh() {
    if (going_ || !follower_) return markShown();
    job_.cancel();
    const Node* node = selection_->outermost();
    if (!node) {
        panel_->showMessage(tr("Select a node to see how each pass changes it."));
        Q_EMIT changed({});
        return;
    }
    if (!wanted_) return;
    const QString title = fullName(*node);
    job_.start<std::vector<HistoryStep>>(
        tr("History of %1").arg(title),
        [follower = follower_, graph = selection_->graph(), kind = selection_->kind(),
         id = node->id()](const Progress&) { return historyOf(*follower, graph, kind, id); },
        [this, title](std::vector<HistoryStep> steps) {
            Q_EMIT changed(steps);
            panel_->showHistory(*follower_->record(), title, std::move(steps));
            markShown();
        });
}

void HistoryController::markShown() {
    const auto& steps = panel_->steps();
    const auto shown = std::ranges::find(steps, pane_->graph(), [](const HistoryStep& s) { return s.where.graph; });
    panel_->setCurrent(shown == steps.end() ? -1 : static_cast<int>(shown - steps.begin()));
}

/// The history stays that of the node it was requested for.
void HistoryController::goTo(int index) {
    const HistoryStep step = panel_->steps()[static_cast<std::size_t>(index)];
    going_ = true;
    pane_->showGraph(step.where.kind, step.where.graph);
    if (!step.nodes.empty()) {
        selection_->select(step.nodes.front());
        pane_->reveal(step.nodes.front());
    }
    going_ = false;
    markShown();
}

}  // namespace aotscope
