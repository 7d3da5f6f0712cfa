// The menu and the toolbar of the debugger.
#include "controllers/debugging/debug_controller.h"
#include "controllers/make_action.h"

#include <QActionGroup>

namespace aotscope {

void DebugController::makeActions() {
    toolBar_->setObjectName(QStringLiteral("debugToolBar"));
    toolBar_->hide();
    makeRunActions();
    makeValueActions();
    makeReferenceActions();
}

/// Needs a paused run.
QAction* DebugController::addCommand(const char* name, const QString& text, const QKeySequence& keys,
                                     const QString& tip, const std::function<void()>& run) {
    commands_.push_back(makeAction(this, QLatin1String(name), text, {keys}, tip, run));
    return commands_.back();
}

void DebugController::addRun(const char* name, const QString& text, const QString& iconText, const QKeySequence& keys,
                             const QString& tip, DebugVerb verb) {
    running_.push_back(addCommand(name, text, keys, tip, [this, iconText, verb] {
        bringForward();
        run(iconText, DebugCommand{verb});
    }));
    running_.back()->setIconText(iconText);
}

void DebugController::makeRunActions() {
    start_ = makeAction(this, QStringLiteral("actionDebug"), tr("&Run Node by Node"), {Qt::SHIFT | Qt::Key_F5},
                        tr("Starts or stops a run of the compiled graphs that can pause at every node"),
                        [this] { start_->isChecked() ? start() : stop(); });
    start_->setIconText(tr("Debug"));
    start_->setCheckable(true);
    addRun("actionDebugStep", tr("&Step"), tr("Step"), Qt::Key_F11, tr("Executes the next node"), DebugVerb::step);
    addRun("actionDebugOver", tr("Step Over &Module"), tr("Over Module"), Qt::SHIFT | Qt::Key_F11,
           tr("Executes the rest of the module"), DebugVerb::stepOverModule);
    addRun("actionDebugBack", tr("Step &Back"), tr("Back"), Qt::CTRL | Qt::SHIFT | Qt::Key_F11,
           tr("Undoes the last step and restores the RNG state"), DebugVerb::stepBack);
    QAction* to = addCommand("actionDebugTo", tr("Run to Se&lection"), Qt::Key_F4,
                             tr("Runs forward or back to the selected node"), [this] { runToSelection(); });
    to->setIconText(tr("To Selection"));
    running_.push_back(to);
    onSelection_.push_back(to);
    addRun("actionDebugRun", tr("Contin&ue"), tr("Run"), Qt::SHIFT | Qt::Key_F8,
           tr("Runs to the next breakpoint or difference, or to the end"), DebugVerb::run);
    addRun("actionDebugNaN", tr("Run to First &NaN"), tr("First NaN"), Qt::Key_F7,
           tr("Runs to the first node that produces NaN or infinity from finite inputs"), DebugVerb::runToNotFinite);
    addRun("actionDebugRestart", tr("Start O&ver"), tr("Restart"), Qt::CTRL | Qt::SHIFT | Qt::Key_F5,
           tr("Goes back to the start of forward and discards edited values"), DebugVerb::restart);
    for (QAction* action : running_) toolBar_->addAction(action);
}

void DebugController::makeValueActions() {
    toggleBreakpoint_ = makeAction(
        this, QStringLiteral("actionDebugBreak"), tr("Toggle Brea&kpoint"), {Qt::SHIFT | Qt::Key_F9},
        tr("Sets or removes a breakpoint of the debugger at the selected node"), [this] { toggleBreakpoint(); });
    QAction* conditions =
        makeAction(this, QStringLiteral("actionValueBreakpoints"), tr("Value Break&points…"), {Qt::CTRL | Qt::Key_F9},
                   tr("Conditions on values (has_nan, absmax>1e4) and on nodes, with hit counts"), [this] {
                       Q_EMIT breakpointsAsked();
                       breakpoints_->startCondition();
                   });
    QAction* watching = addCommand("actionWatch", tr("&Watch Selection"), QKeySequence(tr("V")),
                                   tr("Adds the selected value to the Values table"), [this] { watch(); });
    QAction* unwatching = addCommand("actionUnwatch", tr("S&top Watching"), QKeySequence(tr("Ctrl+Shift+V")),
                                     tr("Removes the selected rows, or the selected value, from the Values table"),
                                     [this] { unwatch(); });
    QAction* editing = addCommand("actionEditValue", tr("E&dit Value…"), Qt::Key_F2,
                                  tr("Changes elements of the selected value; the run continues with them"), [this] {
                                      Q_EMIT valuesAsked();
                                      panel_->edit()->setFocus(Qt::ShortcutFocusReason);
                                  });
    copy_ = makeAction(
        this, QStringLiteral("actionCopyFindingPython"), tr("&Copy Finding as Python"), {tr("Ctrl+Alt+F")},
        tr("Copies lines of Python that run the operation that went wrong, by itself"), [this] { copyFinding(); });
    ranks_ = makeAction(this, QStringLiteral("actionDebugRanks"), tr("Ran&ks Together…"), {tr("Ctrl+Alt+R")},
                        tr("Chooses how many ranks of a distributed program are stepped together"), [this] {
                            Q_EMIT valuesAsked();
                            panel_->count()->setFocus(Qt::ShortcutFocusReason);
                            panel_->count()->selectAll();
                        });
    values_ = {toggleBreakpoint_, conditions, watching, unwatching, editing, ranks_, copy_};
    for (QAction* action : {watching, editing}) onSelection_.push_back(action);
}

void DebugController::makeReferenceActions() {
    auto* group = new QActionGroup(this);
    group->setExclusionPolicy(QActionGroup::ExclusionPolicy::ExclusiveOptional);
    const auto add = [&](const char* name, const QString& text, const QKeySequence& keys, const QString& tip,
                         DebugReference reference) {
        auto* action = group->addAction(makeAction(this, QLatin1String(name), text, {keys}, tip, [] {}));
        action->setCheckable(true);
        connect(action, &QAction::triggered, this,
                [this, reference](bool on) { compare(on ? reference : DebugReference::none); });
        references_.push_back(action);
    };
    add("actionDebugEager", tr("Compare with &Eager"), Qt::SHIFT | Qt::Key_F7,
        tr("Pauses at the first value that differs from eager"), DebugReference::eager);
    add("actionDebugOther", tr("Compare with &Other Partition"), Qt::CTRL | Qt::SHIFT | Qt::Key_F7,
        tr("Pauses at the first value that differs with the other partitioner"), DebugReference::otherPartition);
}

void DebugController::addActionsTo(QMenu* menu) {
    menu->addAction(start_);
    for (const auto& part : {running_, references_, values_}) {
        for (QAction* action : part) menu->addAction(action);
        menu->addSeparator();
    }
}

void DebugController::addSelectionActionsTo(QMenu* menu) {
    if (!run_.run) return;
    menu->addSeparator();
    for (QAction* action : onSelection_) menu->addAction(action);
    menu->addAction(toggleBreakpoint_);
}

void DebugController::enable() {
    const bool can = session_ && record_->error.empty() && session_->whyNotExecutable().empty();
    const bool node = selected().has_value();
    start_->setEnabled(can);
    start_->setChecked(run_.run || commanding_);
    for (QAction* action : commands_) action->setEnabled(state_.has_value());
    for (QAction* action : references_) action->setEnabled(can && !commanding_);
    for (QAction* action : onSelection_) action->setEnabled(state_ && node);
    toggleBreakpoint_->setEnabled(node);
    copy_->setEnabled(hasFinding());
    ranks_->setEnabled(can && offered_.communicates && offered_.whyAlone.empty());
    panel_->setActive(state_.has_value());
}

}  // namespace aotscope
