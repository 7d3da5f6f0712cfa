#include "controllers/why_controller.h"

#include "controllers/what_if_answers.h"

namespace aotscope {

WhyController::WhyController(const WhatIfState& state, const Selection* selection, QWidget* window)
    : QObject(window), state_(state), selection_(selection), panel_(new WhyPanel(window)) {}

WhyController::~WhyController() { job_.disconnect(this); }

void WhyController::show() {
    job_.cancel();
    if (state_.paused) return panel_->showMessage(pausedText());
    const Node* node = state_.joint ? state_.joint->findById(selection_->node()) : nullptr;
    if (!node || !state_.ready() || node->kind() == NodeKind::output)
        return panel_->showMessage(!state_.joint ? tr("There is no partition, because no gradients are computed.")
                                                 : tr("Select a value to see why it is saved, recomputed or neither."));
    panel_->showStory(whyStory(*state_.joint, *node, *state_.shown.partition, state_.shown.options.cut));
    if (node->kind() == NodeKind::call && node->stage == Stage::forward) askForAlternatives(node->id());
}

void WhyController::askForAlternatives(NodeId node) {
    job_.start<QStringList>(
        tr("Partitioning"),
        [whatIf = state_.whatIf, shown = state_.shown, node, times = *state_.times,
         record = state_.session->record()](const Progress& progress) {
            return alternativesTo(*whatIf, shown, node, record->knownMetadata(), times, progress);
        },
        [this](const QStringList& sentences) { panel_->setAlternatives(sentences); });
}

}  // namespace aotscope
