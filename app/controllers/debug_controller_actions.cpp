// The menu and the toolbar of the debugger.

#include "controllers/debug_controller.h"

#include <QActionGroup>

namespace aotscope {

QAction* DebugController::add(const char* name, const QString& text, const QKeySequence& keys, const QString& tip) {
    auto* action = new QAction(text, this);
    action->setObjectName(QLatin1String(name));
    action->setShortcut(keys);
    action->setStatusTip(tip);
    return action;
}

/// Can be done while the run stands still.
QAction* DebugController::addCommand(const char* name, const QString& text, const QKeySequence& keys,
                                     const QString& tip, std::function<void()> run) {
    QAction* action = add(name, text, keys, tip);
    connect(action, &QAction::triggered, this, std::move(run));
    commands_.push_back(action);
    return action;
}

void DebugController::makeRunActions() {
    start_ = add("actionDebug", tr("&Run Node by Node"), Qt::SHIFT | Qt::Key_F5,
                 tr("Starts or stops a run of the compiled graphs that can pause at every node"));
    start_->setIconText(tr("Debug"));
    start_->setCheckable(true);
    connect(start_, &QAction::triggered, this, &DebugController::toggle);
    const auto addRun = [this](const char* name, const QString& text, const QString& iconText, const QKeySequence& keys,
                               const QString& tip, Command command) {
        QAction* action = addCommand(name, text, keys, tip,
                                     [this, iconText, command = std::move(command)] { run(iconText, command); });
        action->setIconText(iconText);
        running_.push_back(action);
    };
    addRun("actionDebugStep", tr("&Step"), tr("Step"), Qt::Key_F11, tr("Executes the next node"), &Debugger::step);
    addRun("actionDebugOver", tr("Step Over &Module"), tr("Over Module"), Qt::SHIFT | Qt::Key_F11,
           tr("Executes the rest of the module"), &Debugger::stepOverModule);
    addRun("actionDebugBack", tr("Step &Back"), tr("Back"), Qt::CTRL | Qt::SHIFT | Qt::Key_F11,
           tr("Undoes the last step and restores the RNG state"),
           [](Debugger& debugger, const Progress&) { debugger.stepBack(); });
    QAction* to = addCommand("actionDebugTo", tr("Run to Se&lection"), Qt::Key_F4,
                             tr("Runs forward or back to the selected node"), [this] { runToSelection(); });
    to->setIconText(tr("To Selection"));
    running_.push_back(to);
    onSelection_.push_back(to);
    addRun("actionDebugRun", tr("Contin&ue"), tr("Run"), Qt::SHIFT | Qt::Key_F8,
           tr("Runs to the next breakpoint or difference, or to the end"), &Debugger::run);
    addRun("actionDebugNaN", tr("Run to First &NaN"), tr("First NaN"), Qt::Key_F7,
           tr("Runs to the first node that produces NaN or infinity from finite inputs"), &Debugger::runToNotFinite);
    addRun("actionDebugRestart", tr("Start O&ver"), tr("Restart"), Qt::CTRL | Qt::SHIFT | Qt::Key_F5,
           tr("Goes back to the start of forward and discards edited values"),
           [](Debugger& debugger, const Progress&) { debugger.restart(); });
    toolBar_->addAction(start_);
    for (QAction* action : running_) toolBar_->addAction(action);
}

void DebugController::makeValueActions() {
    toggleBreakpoint_ = add("actionDebugBreak", tr("Toggle Brea&kpoint"), Qt::SHIFT | Qt::Key_F9,
                            tr("Sets or removes a breakpoint of the debugger at the selected node"));
    connect(toggleBreakpoint_, &QAction::triggered, this, &DebugController::toggleBreakpoint);
    auto* conditions = add("actionValueBreakpoints", tr("Breakpoints by &Value…"), Qt::CTRL | Qt::Key_F9,
                           tr("Conditions on values (has_nan, absmax>1e4) and on nodes, with hit counts"));
    connect(conditions, &QAction::triggered, this, [this] {
        Q_EMIT breakpointsAsked();
        breakpoints_->condition()->setFocus(Qt::ShortcutFocusReason);
    });
    QAction* watching = addCommand("actionWatch", tr("&Watch the Selection"), QKeySequence(tr("V")),
                                   tr("Adds the selected value to the Values table"), [this] { watch(); });
    QAction* unwatching =
        addCommand("actionUnwatch", tr("S&top Watching"), QKeySequence(tr("Ctrl+Shift+V")),
                   tr("Removes the marked values, or the selected one, from the table"), [this] { unwatch(); });
    QAction* editing = addCommand("actionEditValue", tr("E&dit the Value…"), Qt::Key_F2,
                                  tr("Changes elements of the selected value; the run continues with them"), [this] {
                                      Q_EMIT valuesAsked();
                                      panel_->edit()->setFocus(Qt::ShortcutFocusReason);
                                  });
    values_ = {toggleBreakpoint_, conditions, watching, unwatching, editing};
    for (QAction* action : {watching, editing}) onSelection_.push_back(action);
}

void DebugController::makeReferenceActions() {
    auto* group = new QActionGroup(this);
    group->setExclusionPolicy(QActionGroup::ExclusionPolicy::ExclusiveOptional);
    const auto addReference = [&](const char* name, const QString& text, const QKeySequence& keys, const QString& tip,
                                  Reference reference) {
        QAction* action = group->addAction(add(name, text, keys, tip));
        action->setCheckable(true);
        connect(action, &QAction::triggered, this,
                [this, reference](bool on) { compare(on ? reference : Reference::none); });
        references_.push_back(action);
    };
    addReference("actionDebugEager", tr("Compare with &Eager"), Qt::SHIFT | Qt::Key_F7,
                 tr("Pauses at the first value that differs from eager"), Reference::eager);
    addReference("actionDebugOther", tr("Compare with &Other Partition"), Qt::CTRL | Qt::SHIFT | Qt::Key_F7,
                 tr("Pauses at the first value that differs with the other partitioner"), Reference::otherPartition);
}

void DebugController::addActionsTo(QMenu* menu) {
    menu->addAction(start_);
    for (const auto& part : {running_, references_, values_}) {
        for (QAction* action : part) menu->addAction(action);
        menu->addSeparator();
    }
}

void DebugController::addSelectionActionsTo(QMenu* menu) {
    if (!debugger_) return;
    menu->addSeparator();
    for (QAction* action : onSelection_) menu->addAction(action);
    menu->addAction(toggleBreakpoint_);
}

}  // namespace aotscope
