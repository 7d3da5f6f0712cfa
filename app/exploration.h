#pragma once

#include "panels/graph_pane.h"
#include "panels/pass_panel.h"
#include "search_controller.h"
#include "selection.h"
#include "settings.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>
#include <QSplitter>

namespace aotscope {

/// Ways to look through a run that the window offers beside showing it: search, stepping, differences, history.
class Exploration : public QObject {
    Q_OBJECT

public:
    /// What belongs to the window and is worked with here.
    struct Surroundings {
        QMainWindow* window;
        GraphPane* pane;
        QSplitter* graphs;
        Selection* selection;
        PassPanel* passes;
        Settings* settings;
    };
    explicit Exploration(const Surroundings& around);

    SearchController* search() const { return search_; }

    void addGoActionsTo(QMenu* menu);
    /// Those that need a run.
    std::vector<QAction*> sessionActions() const;
    /// After the window has connected its own.
    void connectSignals();

    void setRecord(std::shared_ptr<const CompileRecord> record);
    void setTiming(const TimingResult& timing);
    bool busy() const;

private:
    QDockWidget* addDock(const QString& name, const QString& title, QWidget* widget);

    Surroundings around_;
    SearchController* search_;
    QDockWidget* searchDock_;
};

}  // namespace aotscope
