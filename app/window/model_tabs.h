#pragma once

#include "window/controllers.h"
#include "window/session_handover.h"

#include <QAction>
#include <QTabBar>
#include <QToolBar>

namespace aotscope {

/// A row with a tab for each open model, once there are two. Goes to another one, which is shown as it was left, and
/// closes them.
class ModelTabs : public QToolBar {
    Q_OBJECT

public:
    ModelTabs(Workbench& bench, const Controllers& controllers, SessionHandover* handover);

    /// Close the model; go to the next and to the previous one.
    const QList<QAction*>& actions() const { return commands_; }
    /// The models or their unsaved changes are others.
    void refresh();

private:
    void show(int index);
    void showModel(const QString& opened);
    void step(int by);
    void askToClose(int index);
    void close(int index);
    void showMenu(const QPoint& place);

    Workbench& bench_;
    const Controllers& all_;
    SessionHandover* handover_;
    QTabBar* tabs_;
    QList<QAction*> commands_;
};

}  // namespace aotscope
