#pragma once

#include "record/compile_record.h"

#include <QTabBar>
#include <QToolButton>

namespace aotscope {

/// The tabs of a graph pane: the graphs that a run has, its flow network, and levels of the compiled graph. Those that
/// people look at most, and the one that is shown, are visible; a menu beside them has the others. Says only what a
/// person chooses.
class GraphTabs : public QTabBar {
    Q_OBJECT

public:
    explicit GraphTabs(QWidget* parent);

    /// Tabs for levels of the compiled graph, from the next showRecord() on.
    void offerLevels(const QStringList& titles) { levels_ = titles; }
    void showRecord(const CompileRecord& record);
    void markKind(GraphKind kind) { mark(static_cast<int>(kind)); }
    void markNetwork();
    void markLevel(int level);
    /// The button beside the tabs, with the menu of the others. It belongs to this.
    QToolButton* others() const { return others_; }

Q_SIGNALS:
    void kindChosen(aotscope::GraphKind kind);
    void networkChosen();
    void levelChosen(int level);

private:
    void choose(int tab);
    void mark(int wanted);
    /// So few tabs are visible that they can be read, `tab` among them.
    void reveal(int tab);

    QToolButton* others_;
    QStringList levels_;
};

/// The first of the graphs that people look at which the run has, `preferred` before all others.
GraphKind firstGraphOf(const CompileRecord& record, GraphKind preferred);

}  // namespace aotscope
