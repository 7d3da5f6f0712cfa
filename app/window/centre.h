#pragma once

#include "panels/graph/graph_pane.h"
#include "window/start/start_page.h"

#include <QSplitter>
#include <QStackedWidget>

namespace aotscope {

/// The middle of the window: the start page, or the graphs beside one another.
class Centre : public QStackedWidget {
    Q_OBJECT

public:
    explicit Centre(QWidget* parent);

    StartPage* start() const { return start_; }
    GraphPane* pane() const { return pane_; }
    /// Where the second graph and the difference stand, too.
    QSplitter* graphs() const { return graphs_; }
    void showStart(const QStringList& recentModels);
    /// Where the start page was, the canvas gets the keyboard.
    void showGraphs();

private:
    StartPage* start_;
    QSplitter* graphs_;
    GraphPane* pane_;
};

}  // namespace aotscope
