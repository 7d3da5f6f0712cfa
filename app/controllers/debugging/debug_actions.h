#pragma once

#include "debug/debugger.h"

#include <QAction>
#include <QMainWindow>
#include <QMenu>
#include <QToolBar>
#include <functional>
#include <vector>

namespace aotscope {

/// What is asked of a run; it runs on another thread.
using DebugCommand = std::function<void(Debugger&, const Progress&)>;
/// What the values of a run are compared with.
enum class DebugReference : std::uint8_t { none, eager, otherPartition };

/// The menu and the toolbar of the debugger: says what is asked for, and does nothing itself.
class DebugActions : public QObject {
    Q_OBJECT

public:
    explicit DebugActions(QMainWindow* window);

    QToolBar* toolBar() const { return toolBar_; }
    /// Starts or stops a run.
    QAction* startAction() const { return start_; }
    void addTo(QMenu* menu);
    /// What the menu of the canvas offers for what is selected.
    void addSelectionActionsTo(QMenu* menu);

    struct State {
        bool possible;    ///< the session can be executed
        bool started;     ///< a run is under way
        bool commanding;  ///< and a command of it
        bool stopped;     ///< it waits for a command
        bool node;        ///< a node is selected that it computes
        bool found;       ///< it has stopped at something that is wrong
        bool ranks;       ///< the program may have several ranks
    };
    void enable(const State& state);

Q_SIGNALS:
    void toggled(bool on);
    void commanded(const QString& title, const aotscope::DebugCommand& command);
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
                const QString& tip, const DebugCommand& command);
    void makeValueActions();
    void makeReferenceActions();

    QToolBar* toolBar_;
    std::vector<QAction*> running_, values_, references_;
    std::vector<QAction*> commands_;     ///< that need a run that waits
    std::vector<QAction*> onSelection_;  ///< and a selected node
    QAction *start_ = nullptr, *toggleBreakpoint_ = nullptr, *copy_ = nullptr, *ranks_ = nullptr;
};

}  // namespace aotscope
