#include "controllers/what_if/why_controller.h"

#include "controllers/what_if/what_if_answers.h"

namespace aotscope {

WhyController::WhyController(const WhatIfState& state, const Selection* selection, QObject* parent)
    : QObject(parent), state_(state), selection_(selection) {}

WhyController::~WhyController() { job_.disconnect(this); }

void WhyController::ask() {
    job_.cancel();
    const NodeId id = selection_->node();
    Q_EMIT found(id, {});
    const Node* node = state_.ready() && state_.joint ? state_.joint->findById(id) : nullptr;
    if (!node || node->kind() != NodeKind::call || node->stage != Stage::forward) return;
    job_.start<QStringList>(
        tr("Partitioning"),
        [whatIf = state_.whatIf, shown = state_.shown, id, times = *state_.times,
         record = state_.session->record()](const Progress& progress) {
            return alternativesTo(*whatIf, shown, id, record->knownMetadata(), times, progress);
        },
        [this, id](const QStringList& sentences) { Q_EMIT found(id, sentences); });
}

}  // namespace aotscope
