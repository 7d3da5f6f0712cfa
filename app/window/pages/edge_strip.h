#pragma once

#include <QDockWidget>
#include <QToolBar>

#include <vector>

namespace aotscope {

/// Buttons at an edge of the window that open and close the docks there; the text of each runs along the edge.
class EdgeStrip : public QToolBar {
    Q_OBJECT

public:
    EdgeStrip(Qt::ToolBarArea edge, QMainWindow* window);

    /// From now on a button for each of these.
    void setDocks(const std::vector<QDockWidget*>& docks);

Q_SIGNALS:
    void clicked(QDockWidget* dock);

private:
    Qt::ToolBarArea edge_;
    std::vector<QDockWidget*> docks_;
};

}  // namespace aotscope
