#include "controllers/what_if/what_if_actions.h"

#include "controllers/make_action.h"

namespace aotscope {

WhatIfActions::WhatIfActions(const QUndoStack& undo, QObject* parent)
    : QObject(parent),
      overrides_{
          addOverride(QStringLiteral("actionSave"), tr("&Save for Backward"), tr("Shift+S"),
                      tr("Partitions again with the selected values saved for backward"), ValueOverride::save),
          addOverride(QStringLiteral("actionRecompute"), tr("&Recompute in Backward"), tr("Shift+R"),
                      tr("Partitions again with the selected values recomputed in backward"), ValueOverride::recompute),
          addOverride(QStringLiteral("actionLeave"), tr("&Leave to Partitioner"), tr("Shift+L"),
                      tr("Removes the overrides for the selected values"), ValueOverride::leave)},
      undo_(undo.createUndoAction(this, tr("Undo"))),
      redo_(undo.createRedoAction(this, tr("Redo"))),
      apply_(makeAction(this, QStringLiteral("actionApply"), tr("&Apply What If"), {tr("Ctrl+Return")},
                        tr("Compiles the model with the partition that is shown"),
                        [this] { Q_EMIT applyRequested(); })),
      back_(makeAction(this, QStringLiteral("actionBackToCompiled"), tr("Reset to &Compiled Partition"),
                       {tr("Shift+B")}, tr("Gives up what is shown: back to the compiled partition and its options"),
                       [this] { Q_EMIT backRequested(); })),
      keep_(makeAction(this, QStringLiteral("actionKeep"), tr("&Keep as Variant…"), {tr("Shift+K")},
                       tr("Names the shown partition, to compare and measure it later"),
                       [this] { Q_EMIT keepRequested(); })),
      budgets_(makeAction(this, QStringLiteral("actionSweep"), tr("&Try 20 Memory Budgets"), {tr("Shift+P")},
                          tr("Draws time against memory for 20 memory budgets"), [this] { Q_EMIT sweepRequested(); })),
      network_(makeAction(this, QStringLiteral("actionNetwork"), tr("&Flow Network"), {tr("W")},
                          tr("Shows the flow network whose minimum cut is the partition"),
                          [this] { Q_EMIT networkRequested(); })),
      copy_(makeAction(this, QStringLiteral("actionCopyPython"), tr("&Copy as Python"), {tr("Ctrl+Alt+C")},
                       tr("Copies lines of Python that have PyTorch make the shown partition"),
                       [this] { Q_EMIT copyRequested(); })) {
    undo_->setObjectName(QStringLiteral("actionUndo"));
    undo_->setShortcut(QKeySequence::Undo);
    undo_->setIconText(tr("Undo"));
    redo_->setObjectName(QStringLiteral("actionRedo"));
    redo_->setShortcut(QKeySequence::Redo);
    redo_->setIconText(tr("Redo"));
    apply_->setIconText(tr("Apply"));
    back_->setIconText(tr("Reset"));
    keep_->setIconText(tr("Keep as Variant…"));
}

QAction* WhatIfActions::addOverride(const QString& name, const QString& text, const QKeySequence& key,
                                    const QString& tip, ValueOverride wanted) {
    return makeAction(this, name, text, {key}, tip, [this, wanted] { Q_EMIT overrideRequested(wanted); });
}

void WhatIfActions::addTo(QMenu* menu) const {
    addOverridesTo(menu);
    menu->addSeparator();
    menu->addActions({undo_, redo_, apply_, back_, keep_});
    menu->addSeparator();
    menu->addActions({budgets_, network_, copy_});
}

void WhatIfActions::addOverridesTo(TablePanel* table) {
    const auto add = [&](const QString& text, ValueOverride wanted) {
        auto* action = new QAction(text, table);
        connect(action, &QAction::triggered, this,
                [this, table, wanted] { Q_EMIT overrideOfRowsRequested(wanted, table->markedNodes()); });
        table->view()->addAction(action);
    };
    add(tr("Save for Backward"), ValueOverride::save);
    add(tr("Recompute in Backward"), ValueOverride::recompute);
    add(tr("Leave to Partitioner"), ValueOverride::leave);
}

void WhatIfActions::enable(const State& state) {
    for (QAction* action : std::as_const(overrides_)) action->setEnabled(state.values);
    for (QAction* action : {back_, keep_, budgets_, copy_}) action->setEnabled(state.ready);
    apply_->setEnabled(state.other);
    network_->setEnabled(state.network);
}

}  // namespace aotscope
