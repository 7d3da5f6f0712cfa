#pragma once

#include "controllers/what_if/what_if_change.h"
#include "panels/tables/table_panel.h"

#include <QMenu>
#include <QUndoStack>

namespace aotscope {

/// The actions of what-if: emits what is requested, and does nothing itself.
class WhatIfActions : public QObject {
    Q_OBJECT

public:
    WhatIfActions(const QUndoStack& undo, QObject* parent);

    void addTo(QMenu* menu) const;
    /// For the selected values.
    void addOverridesTo(QMenu* menu) const { menu->addActions(overrides_); }
    /// Adds a menu to the rows of a table, for the values that they stand for.
    void addOverridesTo(TablePanel* table);
    /// The actions that have buttons in the panel.
    std::vector<QAction*> forButtons() const { return {undo_, redo_, keep_}; }
    /// Compiles or discards the shown partition.
    QAction* apply() const { return apply_; }
    QAction* reset() const { return back_; }

    struct State {
        bool ready;    ///< there is something to partition
        bool other;    ///< what is shown is not the compiled partition
        bool values;   ///< values are selected
        bool network;  ///< the shown partition is a minimum cut
    };
    void enable(const State& state);

Q_SIGNALS:
    void overrideRequested(aotscope::ValueOverride wanted);
    void overrideOfRowsRequested(aotscope::ValueOverride wanted, const std::vector<aotscope::NodeId>& nodes);
    void applyRequested();
    void backRequested();
    void keepRequested();
    void sweepRequested();
    void networkRequested();
    void copyRequested();

private:
    QAction* addOverride(const QString& name, const QString& text, const QKeySequence& key, const QString& tip,
                         ValueOverride wanted);

    QList<QAction*> overrides_;
    QAction *undo_, *redo_, *apply_, *back_, *keep_, *budgets_, *network_, *copy_;
};

}  // namespace aotscope
