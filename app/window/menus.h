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
          Preferences* preferences, HelpController* help);

    /// A session is open now.
    void enableForSession();
    void fillRecent();

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
    QMenu* recent_;
    MainToolBar::Tools tools_ = {};
    QAction* inputs_;
    std::vector<QAction*> ofSession_;  ///< need an open session
    std::vector<QAction*> executing_;  ///< and one that can be executed
};

}  // namespace aotscope
