#pragma once

#include "panels/graph/graph_pane.h"
#include "window/start/start_page.h"

#include <QSplitter>
#include <QStackedWidget>

namespace aotscope {

/// The middle of the window: the start page, or graphs side by side.
class Centre : public QStackedWidget {
    Q_OBJECT

public:
    explicit Centre(QWidget* parent);

    StartPage* start() const { return start_; }
    GraphPane* pane() const { return pane_; }
    /// The place for the second graph and the difference.
    QSplitter* graphs() const { return graphs_; }
    void showStart(const QStringList& recentModels);
    /// Leaving the start page gives the canvas the focus.
    void showGraphs();

private:
    StartPage* start_;
    QSplitter* graphs_;
    GraphPane* pane_;
};

}  // namespace aotscope
