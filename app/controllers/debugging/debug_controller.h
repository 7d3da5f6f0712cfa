#pragma once

#include "controllers/controller.h"
#include "controllers/debugging/debugged_values.h"
#include "panels/breakpoint_panel.h"
#include "panels/inspector/value_panel.h"
#include "panels/step_panel.h"

#include <QAction>
#include <QMenu>
#include <QToolBar>
#include <functional>
#include <optional>

namespace aotscope {

/// Steps through a run of the open session's graphs: commands, the mark on the canvas, watched values, breakpoints. All
/// queries of the run are made in the background, one at a time.
class DebugController : public Controller {
    Q_OBJECT

public:
    /// `breakpoints`: where the breakpoints of the debugger are kept.
    DebugController(const Surroundings& around, BreakpointPanel* breakpoints);

    ValuePanel* panel() const { return panel_; }
    StepPanel* steps() const { return steps_; }
    QToolBar* toolBar() const { return toolBar_; }
    /// Starts or stops a run.
    QAction* startAction() const { return start_; }
    void addActionsTo(QMenu* menu);
    /// Actions for the selected node, for the menu of the canvas.
    void addSelectionActionsTo(QMenu* menu);

    /// Opens another session, or null; the previous run ends.
    void setSession(const std::shared_ptr<const Session>& session) override;
    /// Stops the current command where it is, without waiting for it.
    void cancel();
    /// Whether the machine of the run is reachable: otherwise no values are requested.
    void setReachable(bool reachable);
    /// If the run was lost with its process, goes to the same place in a new one.
    void startAgain();
    bool busy() const override { return job_.running(); }

    /// Where the run is and why; empty without a run or during a command.
    struct State : DebugState {
        std::string positions = {};  ///< where the ranks are; empty: all are in the same place
    };
    const std::optional<State>& state() const { return state_; }

Q_SIGNALS:
    /// Show the values, the steps, or the breakpoints.
    void valuesAsked();
    void stepsAsked();
    void breakpointsAsked();

private:
    void makeActions();
    void makeRunActions();
    void makeValueActions();
    void makeReferenceActions();
    QAction* addCommand(const char* name, const QString& text, const QKeySequence& keys, const QString& tip,
                        const std::function<void()>& run);
    void addRun(const char* name, const QString& text, const QString& iconText, const QKeySequence& keys,
                const QString& tip, DebugVerb verb);
    void connectSignals();

    void offerRanks(bool sameModel);
    void start();
    void restart();
    void showRank(std::size_t rank);
    void stop();
    void bringForward();
    /// A command for a run, executed on another thread.
    using Job = std::function<void(Debugger&, const Progress&)>;
    void run(const QString& title, const Job& job, bool withBreakpoints = true);
    void run(const QString& title, const DebugCommand& command);
    void readState(const QString& title);
    void runToSelection();
    /// What values are compared with.
    enum class DebugReference : std::uint8_t { none, eager, otherPartition };
    void compare(DebugReference reference);
    Job comparison() const;
    void onFailure(const std::exception_ptr& error);

    void show(const State& state);
    void showGraph(bool found);
    void mark(bool follow);
    void look();
    void showSeen(const SeenValues& seen);
    void enable();
    void sayWhereItStands();
    QString whereItStands() const;

    void watch();
    void unwatch();
    void toggleBreakpoint();
    void edit(const QString& text);
    bool hasFinding() const;
    void copyFinding();
    std::optional<ShownValue> selected() const;
    bool showsWholeGraph() const;

    ValuePanel* panel_;
    StepPanel* steps_;
    BreakpointPanel* breakpoints_;
    QToolBar* toolBar_;
    std::vector<QAction*> running_, references_, values_;  ///< as in the menu
    std::vector<QAction*> commands_;                       ///< need a paused run
    std::vector<QAction*> onSelection_;                    ///< and a selected node
    QAction *start_, *toggleBreakpoint_, *copy_, *ranks_;

    std::shared_ptr<const Session> session_;
    std::shared_ptr<const CompileRecord> record_;
    DebuggedRanks run_;  ///< used by the job alone; null: not started
    RankChoice offered_;
    std::size_t rank_ = 0;  ///< the one to show
    std::optional<State> state_;
    QString stage_;  ///< of the current command
    DebugReference reference_ = DebugReference::none;
    std::vector<ShownValue> watched_;
    bool commanding_ = false;  ///< the job is a command, not a query of values
    bool reachable_ = true;
    bool lost_ = false;    ///< the process of the run, since it was started
    bool again_ = false;   ///< the run is being restored: keep the selection
    bool follow_ = false;  ///< move the camera to the mark when the picture is ready
    BackgroundJob job_;
};

}  // namespace aotscope
