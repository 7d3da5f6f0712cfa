#pragma once

#include "panels/problems_panel.h"
#include "window/status_line.h"

#include <QAction>
#include <QFrame>
#include <QMainWindow>
#include <QPointer>

namespace aotscope {

/// The list of problems, as a drawer above the status bar, opened by a counter. A new problem is shown in the status
/// bar and opens the drawer without taking the focus.
class ProblemDrawer : public QFrame {
    Q_OBJECT

public:
    ProblemDrawer(ProblemsPanel* problems, StatusLine* status, QMainWindow* window);

    /// Opens and closes it.
    QAction* action() const { return action_; }
    /// With the focus in the list, or without.
    void open(bool takeFocus);
    void shut();

protected:
    bool eventFilter(QObject* object, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void place();

    ProblemsPanel* problems_;
    QMainWindow* window_;
    QAction* action_;
    QPointer<QWidget> before_;  ///< previous keyboard focus
};

}  // namespace aotscope
