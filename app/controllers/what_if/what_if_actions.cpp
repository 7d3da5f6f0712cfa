// The menu of what-if.
#include "controllers/make_action.h"
#include "controllers/what_if/what_if_controller.h"

namespace aotscope {

QAction* WhatIfController::addOverride(const QString& name, const QString& text, const QKeySequence& key,
                                       const QString& tip, ValueOverride wanted) {
    return makeAction(this, name, text, {key}, tip, [this, wanted] { setOverride(wanted); });
}

void WhatIfController::makeActions() {
    overrides_ = {
        addOverride(QStringLiteral("actionSave"), tr("&Save for Backward"), tr("Shift+S"),
                    tr("Partitions again with the selected values saved for backward"), ValueOverride::save),
        addOverride(QStringLiteral("actionRecompute"), tr("&Recompute in Backward"), tr("Shift+R"),
                    tr("Partitions again with the selected values recomputed in backward"), ValueOverride::recompute),
        addOverride(QStringLiteral("actionLeave"), tr("&Leave to Partitioner"), tr("Shift+L"),
                    tr("Removes the overrides for the selected values"), ValueOverride::leave)};
    makeUndoActions();
    apply_ = makeAction(this, QStringLiteral("actionApply"), tr("&Apply What If"), {tr("Ctrl+Return")},
                        tr("Compiles the model with the partition that is shown"),
                        [this] { Q_EMIT applied(state_.shown.options); });
    apply_->setIconText(tr("Apply"));
    QAction* back = makeAction(
        this, QStringLiteral("actionBackToCompiled"), tr("Reset to &Compiled Partition"), {tr("Shift+B")},
        tr("Gives up what is shown: back to the compiled partition and its options"), [this] { backToCompiled(); });
    back->setIconText(tr("Reset"));
    QAction* keep =
        makeAction(this, QStringLiteral("actionKeep"), tr("&Keep as Variant…"), {tr("Shift+K")},
                   tr("Names the shown partition, to compare and measure it later"), [this] { askForName(); });
    keep->setIconText(tr("Keep as Variant…"));
    QAction* budgets = makeAction(this, QStringLiteral("actionSweep"), tr("&Try 20 Memory Budgets"), {tr("Shift+P")},
                                  tr("Draws time against memory for 20 memory budgets"), [this] {
                                      variants_->sweep(options_);
                                      Q_EMIT pageAsked(variants_->pareto());
                                  });
    network_ = makeAction(this, QStringLiteral("actionNetwork"), tr("&Flow Network"), {tr("W")},
                          tr("Shows the flow network whose minimum cut is the partition"),
                          [this] { pane_->showNetwork(selection_->node()); });
    QAction* copy =
        makeAction(this, QStringLiteral("actionCopyPython"), tr("&Copy as Python"), {tr("Ctrl+Alt+C")},
                   tr("Copies lines of Python that have PyTorch make the shown partition"), [this] { copyAsPython(); });
    changing_ = {apply_, back, keep};
    showing_ = {budgets, network_, copy, calibration_->measureAction(), calibration_->action()};
    prepared_ = {back, keep, budgets, copy};
    panel_->addButtons(
        {undoing_.front(), undoing_.back(), keep, calibration_->measureAction(), calibration_->action()});
    memory_->addButton(calibration_->measureAction());
    panel_->setDecisions(apply_, back);
    variants_->pareto()->addButton(calibration_->action());
}

void WhatIfController::makeUndoActions() {
    undoing_ = {makeAction(this, QStringLiteral("actionUndo"), tr("Undo"), {QKeySequence::Undo},
                           tr("Takes the last step back: an option, an override, a change of the view"),
                           [this] { undo_->undo(); }),
                makeAction(this, QStringLiteral("actionRedo"), tr("Redo"), {QKeySequence::Redo},
                           tr("Makes the step again that was taken back"), [this] { undo_->redo(); })};
    undoing_.front()->setIconText(tr("Undo"));
    undoing_.back()->setIconText(tr("Redo"));
    setUndoStack(&none_);
}

void WhatIfController::setUndoStack(QUndoStack* stack) {
    undo_->disconnect(this);
    undo_ = stack;
    connect(undo_, &QUndoStack::indexChanged, this, &WhatIfController::offerUndo);
    offerUndo();
}

void WhatIfController::offerUndo() {
    const auto offer = [this](QAction* action, bool can, const QString& verb, const QString& what) {
        action->setEnabled(can && !held_ && !state_.paused);
        action->setText(what.isEmpty() ? verb : verb + u' ' + what);
    };
    offer(undoing_.front(), undo_->canUndo(), tr("Undo"), undo_->undoText());
    offer(undoing_.back(), undo_->canRedo(), tr("Redo"), undo_->redoText());
}

void WhatIfController::holdUndo(bool held) {
    held_ = held;
    offerUndo();
}

void WhatIfController::addActionsTo(QMenu* menu) {
    for (const auto& part : {overrides_, changing_, showing_}) {
        menu->addActions(part);
        menu->addSeparator();
    }
}

void WhatIfController::enableWhatApplies() {
    const bool ready = state_.ready(), values = ready && !chosenValues().empty();
    for (QAction* action : std::as_const(overrides_)) action->setEnabled(values);
    for (QAction* action : prepared_) action->setEnabled(ready);
    apply_->setEnabled(ready && !showsCompiled_ && !asking_);
    network_->setEnabled(ready && state_.shown.partition && state_.shown.partition->network);
    variants_->enableWhatApplies();
}

}  // namespace aotscope
