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
    start_ = add("actionDebug", tr("&Run node by node"), Qt::SHIFT | Qt::Key_F5,
                 tr("Starts, or ends, a run of the compiled graphs that can be stopped at every node"));
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
    addRun("actionDebugOver", tr("Step over the &module"), tr("Over module"), Qt::SHIFT | Qt::Key_F11,
           tr("Executes nodes until the module of the next one is left"), &Debugger::stepOverModule);
    addRun("actionDebugBack", tr("Step &back"), tr("Back"), Qt::CTRL | Qt::SHIFT | Qt::Key_F11,
           tr("Takes the last step back; random numbers will be the same again"),
           [](Debugger& debugger, const Progress&) { debugger.stepBack(); });
    QAction* to = addCommand("actionDebugTo", tr("Run to the se&lection"), Qt::Key_F4,
                             tr("Executes nodes until the selected one is next, or goes back to it"),
                             [this] { runToSelection(); });
    to->setIconText(tr("To selection"));
    running_.push_back(to);
    onSelection_.push_back(to);
    addRun("actionDebugRun", tr("R&un on"), tr("Run"), Qt::SHIFT | Qt::Key_F8,
           tr("To the next breakpoint or difference, or to the end"), &Debugger::run);
    addRun("actionDebugNaN", tr("Run to the first &NaN"), tr("First NaN"), Qt::Key_F7,
           tr("Finds the first NaN or infinity that does not come from another one"), &Debugger::runToNotFinite);
    addRun("actionDebugRestart", tr("Start o&ver"), tr("Restart"), Qt::CTRL | Qt::SHIFT | Qt::Key_F5,
           tr("Goes back to the start of the forward and forgets edited values"),
           [](Debugger& debugger, const Progress&) { debugger.restart(); });
    toolBar_->addAction(start_);
    for (QAction* action : running_) toolBar_->addAction(action);
}

void DebugController::makeValueActions() {
    toggleBreakpoint_ = add("actionDebugBreak", tr("Brea&kpoint at the selection"), Qt::SHIFT | Qt::Key_F9,
                            tr("Sets or removes a breakpoint of the debugger at the selected node"));
    connect(toggleBreakpoint_, &QAction::triggered, this, &DebugController::toggleBreakpoint);
    auto* conditions = add("actionValueBreakpoints", tr("Breakpoints by &value…"), Qt::CTRL | Qt::Key_F9,
                           tr("Conditions on values (has_nan, absmax>1e4) and on nodes, with hit counts"));
    connect(conditions, &QAction::triggered, this, [this] {
        Q_EMIT breakpointsAsked();
        breakpoints_->condition()->setFocus(Qt::ShortcutFocusReason);
    });
    QAction* watching = addCommand("actionWatch", tr("&Watch the selection"), QKeySequence(tr("V")),
                                   tr("Keeps the selected value in the table of values"), [this] { watch(); });
    QAction* unwatching =
        addCommand("actionUnwatch", tr("S&top watching"), QKeySequence(tr("Ctrl+Shift+V")),
                   tr("Takes the marked values, or the selected one, out of the table"), [this] { unwatch(); });
    QAction* editing = addCommand("actionEditValue", tr("E&dit the value…"), Qt::Key_F2,
                                  tr("Gives the selected value other elements; the run goes on behind it"), [this] {
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
    addReference("actionDebugEager", tr("Compare with &eager"), Qt::SHIFT | Qt::Key_F7,
                 tr("Every command stops at the first value that is not eager's"), Reference::eager);
    addReference("actionDebugOther", tr("Compare with the &other partition"), Qt::CTRL | Qt::SHIFT | Qt::Key_F7,
                 tr("Every command stops at the first value that is another one with the other partitioner"),
                 Reference::otherPartition);
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
