#pragma once

#include "record/compile_record.h"

#include <QTabBar>
#include <QToolButton>

namespace aotscope {

/// The tabs of a graph pane: the graphs of a run, its flow network, and levels of the compiled graph. The most
/// important ones and the shown one are visible; a menu beside them has the others. Only emits what the user chooses.
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
    /// The button beside the tabs, with the menu of the others. Owned by this.
    QToolButton* others() const { return others_; }
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void kindChosen(aotscope::GraphKind kind);
    void networkChosen();
    void levelChosen(int level);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void choose(int tab);
    void mark(int wanted);
    /// Limits the visible tabs to a readable number, including `tab`.
    void reveal(int tab);
    void offerScrolling();

    QToolButton* others_;
    QStringList levels_;
};

/// The first important graph of the run, `preferred` above all others.
GraphKind firstGraphOf(const CompileRecord& record, GraphKind preferred);

}  // namespace aotscope
