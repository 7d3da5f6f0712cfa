#pragma once

#include "debug/debugger.h"

#include <QAction>
#include <QMainWindow>
#include <QMenu>
#include <QToolBar>
#include <functional>
#include <vector>

namespace aotscope {

/// The reference to compare the values of a run with.
enum class DebugReference : std::uint8_t { none, eager, otherPartition };

/// The menu and the toolbar of the debugger: emits what is requested, and does nothing itself.
class DebugActions : public QObject {
    Q_OBJECT

public:
    explicit DebugActions(QMainWindow* window);

    QToolBar* toolBar() const { return toolBar_; }
    /// Starts or stops a run.
    QAction* startAction() const { return start_; }
    void addTo(QMenu* menu);
    /// Actions for the selected node, for the menu of the canvas.
    void addSelectionActionsTo(QMenu* menu);

    struct State {
        bool possible;    ///< the session can be executed
        bool started;     ///< a run is under way
        bool commanding;  ///< it executes a command
        bool stopped;     ///< it waits for a command
        bool node;        ///< a node is selected that it computes
        bool found;       ///< it has stopped at a wrong value
        bool ranks;       ///< the program may have several ranks
    };
    void enable(const State& state);

Q_SIGNALS:
    void toggled(bool on);
    void commanded(const QString& title, aotscope::DebugVerb verb);
    void runToSelectionRequested();
    void breakpointToggled();
    void conditionsRequested();
    void watchRequested();
    void unwatchRequested();
    void editRequested();
    void ranksRequested();
    void copyRequested();
    void referenceChosen(aotscope::DebugReference reference);

private:
    QAction* addCommand(const char* name, const QString& text, const QKeySequence& keys, const QString& tip,
                        const std::function<void()>& run);
    void makeRunActions();
    void addRun(const char* name, const QString& text, const QString& iconText, const QKeySequence& keys,
                const QString& tip, DebugVerb verb);
    void makeValueActions();
    void makeReferenceActions();

    QToolBar* toolBar_;
    std::vector<QAction*> running_, values_, references_;
    std::vector<QAction*> commands_;     ///< need a paused run
    std::vector<QAction*> onSelection_;  ///< and a selected node
    QAction *start_ = nullptr, *toggleBreakpoint_ = nullptr, *copy_ = nullptr, *ranks_ = nullptr;
};

}  // namespace aotscope
