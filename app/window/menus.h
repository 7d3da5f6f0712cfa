#pragma once

#include "window/controllers.h"
#include "window/file_dialogs.h"
#include "window/help_controller.h"

#include <QActionGroup>

namespace aotscope {

/// The menus of the window, and which of their actions apply to the open session.
class Menus : public QObject {
    Q_OBJECT

public:
    Menus(Workbench& bench, const Controllers& controllers, SessionHandover* handover, FileDialogs* files,
          Preferences* preferences, HelpController* help, const QList<QAction*>& models);

    /// A session is open now.
    void enableForSession();
    void fillRecent();
    /// Adds a command that opens another window.
    void offerWindows(const std::function<void()>& open);

Q_SIGNALS:
    void cancelRequested();
    void coloursChosen(ColourBy by);

private:
    void buildFileMenu();
    void buildOpenMenu(const QList<QAction*>& open, QMenu* samples);
    void buildSessionFiles(QMenu* menu);
    void buildRunMenu();
    void buildViewMenu();
    void addZoomActions(QMenu* menu);
    void addColourActions(QMenu* menu);
    void addSecondGraphActions(QMenu* menu);
    void addPageActions(QMenu* menu);
    void addPanelActions(QMenu* menu);
    void buildGoMenu();
    void showGraph(GraphKind kind);
    QMenu* addGraphMenu(const QString& title);
    void extendCanvasMenu();
    void adapt();
    /// Enabled while a session is open.
    QAction* ofSession(QAction* action);

    Workbench& bench_;
    const Controllers& all_;
    SessionHandover* handover_;
    FileDialogs* files_;
    Preferences* preferences_;
    QMenuBar* bar_;
    QList<QAction*> models_;  ///< close the model; go to the next and to the previous one
    QMenu* recent_;
    MainToolBar::Tools tools_ = {};
    QAction* inputs_;
    std::vector<QAction*> ofSession_;  ///< need an open session
    std::vector<QAction*> executing_;  ///< and one that can be executed
};

}  // namespace aotscope
