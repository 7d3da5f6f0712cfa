#include "window/menus.h"

#include "controllers/make_action.h"
#include "load/sample_list.h"
#include "record/options/remote_model.h"

#include <QMenuBar>

namespace aotscope {

Menus::Menus(Workbench& bench, const Controllers& controllers, SessionHandover* handover, FileDialogs* files,
             Preferences* preferences, HelpController* help, const QList<QAction*>& models)
    : QObject(bench.window),
      bench_(bench),
      all_(controllers),
      handover_(handover),
      files_(files),
      preferences_(preferences),
      bar_(bench.window->menuBar()),
      models_(models) {
    buildFileMenu();
    QMenu* edit = bar_->addMenu(tr("&Edit"));
    all_.whatIf->addUndoTo(edit);
    edit->addSeparator();
    all_.copying->addActionsTo(edit);
    edit->addSeparator();
    all_.python->addActionsTo(edit);
    edit->addSeparator();
    edit->addAction(preferences_->action());
    buildRunMenu();
    buildViewMenu();
    buildGoMenu();
    all_.whatIf->addActionsTo(addGraphMenu(tr("&Partition")));
    all_.debug->addActionsTo(addGraphMenu(tr("&Debug")));
    help->addActionsTo(bar_->addMenu(tr("&Help")));
    tools_.search = all_.navigation->search()->panel()->edit();
    tools_.debug = all_.debug->startAction();
    tools_.options = bench_.options->action();
    bench_.toolBar->fill(tools_);
    bench_.window->addToolBarBreak();
    bench_.window->addToolBar(all_.debug->toolBar());
    extendCanvasMenu();
    for (QAction* action : ofSession_) action->setEnabled(false);
    connect(all_.runs, &RunController::adapted, this, &Menus::adapt);
    // A model that could not be opened may be retried: its machine may answer now.
    connect(all_.runs->job(), &BackgroundJob::finished, this, [this] {
        if (!bench_.run.session()) tools_.compile->setEnabled(!all_.runs->options().model.empty());
    });
    connect(handover_->file(), &SessionController::savedTo, this, &Menus::fillRecent);
}

QAction* Menus::ofSession(QAction* action) {
    ofSession_.push_back(action);
    return action;
}

/// For commands on graphs: their effect would be invisible behind the start page.
QMenu* Menus::addGraphMenu(const QString& title) {
    QMenu* menu = bar_->addMenu(title);
    connect(menu, &QMenu::triggered, this, [this] {
        if (bench_.run.session()) bench_.centre->showGraphs();
    });
    return menu;
}

void Menus::enableForSession() {
    for (QAction* action : ofSession_) action->setEnabled(true);
    bench_.toolBar->setModel(toQString(bench_.run.record()->model.name),
                             toQString(shownModel(all_.runs->options().model)));
    fillRecent();
}

/// Explains commands that the open session does not support.
void Menus::adapt() {
    const auto allow = [](QAction* action, const QString& why) {
        action->setEnabled(why.isEmpty());
        action->setToolTip(why.isEmpty() ? action->statusTip() : why);
    };
    const Session& session = *bench_.run.session();
    for (QAction* action : executing_) allow(action, toQString(session.whyNotExecutable()));
    allow(inputs_, toQString(session.whyNoOtherInputs()));
}

void Menus::buildFileMenu() {
    QMenu* menu = bar_->addMenu(tr("&File"));
    QAction* open = makeAction(this, QStringLiteral("actionOpen"), tr("&Open Model or Session…"), {QKeySequence::Open},
                               tr("Opens a model, a session file or a log of graphs that Python printed"),
                               [this] { files_->openModel(); });
    menu->addAction(all_.scratch->action());
    menu->addAction(open);
    QAction* folder =
        makeAction(this, QStringLiteral("actionOpenFolder"), tr("Open &Folder of Printed Graphs…"), {tr("Ctrl+Alt+O")},
                   tr("Opens printed graphs, one after each pass, as a run"), [this] { files_->openFolder(); });
    menu->addAction(folder);
    menu->addAction(all_.remote->action());
    menu->addAction(all_.remote->reconnectAction());
    menu->addAction(all_.profile->action());
    QMenu* samples = menu->addMenu(tr("Open &Sample"));
    samples->setObjectName(QStringLiteral("samplesMenu"));
    for (const auto& sample : sampleList()) {
        const QString model = QString::fromStdString("sample:" + sample.name);
        auto* action = samples->addAction(QString::fromStdString(sample.name), this,
                                          [this, model] { files_->openInstead(model); });
        action->setStatusTip(capitalized(QString::fromStdString(sample.help)));
    }
    recent_ = menu->addMenu(tr("Open &Recent"));
    recent_->setProperty("listsFiles", true);
    fillRecent();
    buildOpenMenu({open, folder, all_.remote->action()}, samples);
    menu->addSeparator();
    buildSessionFiles(menu);
    menu->addSeparator();
    menu->addAction(models_.front());
    menu->addAction(makeAction(this, QStringLiteral("actionQuit"), tr("&Quit"), {QKeySequence::Quit},
                               tr("Closes the window and offers to save changes"), [this] { bench_.window->close(); }));
}

/// The same menu on the toolbar button.
void Menus::buildOpenMenu(const QList<QAction*>& open, QMenu* samples) {
    tools_.open = new QMenu(bench_.toolBar);
    tools_.open->addActions(open);
    tools_.open->addMenu(samples);
    tools_.open->addMenu(recent_);
}

/// Entries for the open session: its file, inputs, and exports.
void Menus::buildSessionFiles(QMenu* menu) {
    handover_->file()->addActionsTo(menu);
    menu->addAction(handover_->recovery()->action());
    menu->addSeparator();
    inputs_ = ofSession(makeAction(this, QStringLiteral("actionInputs"), tr("Example &Inputs…"), {tr("Ctrl+I")},
                                   tr("Edits shapes, types and values of the inputs that the model is traced with"),
                                   [this] { all_.runs->editInputs(); }));
    QAction* libraries =
        makeAction(this, QStringLiteral("actionLibraries"), tr("Operator &Libraries…"), {},
                   tr("Shared libraries that register operators for models"), [this] { all_.runs->editLibraries(); });
    for (QAction* action : {inputs_, libraries}) {
        menu->addAction(action);
        bench_.options->addCommand(action);
    }
    menu->addSeparator();
    menu->addAction(ofSession(makeAction(this, QStringLiteral("actionExport"), tr("&Export Graph…"), {tr("Ctrl+E")},
                                         tr("Saves the shown graph as an image, a web page, text or Python"),
                                         [this] { files_->exportGraph(); })));
    menu->addAction(all_.times->exportAction());
    menu->addAction(
        ofSession(makeAction(this, QStringLiteral("actionReport"), tr("Save Re&port…"), {tr("Ctrl+Shift+R")},
                             tr("Saves everything known about the run as JSON"), [this] { files_->saveReport(); })));
    menu->addAction(
        ofSession(makeAction(this, QStringLiteral("actionCopyGraph"), tr("&Copy Graph as Text"), {tr("Ctrl+Shift+C")},
                             tr("Copies the shown graph as text"), [this] { all_.copying->copyGraph(); })));
    menu->addAction(ofSession(makeAction(this, QStringLiteral("actionCopyGraphPython"), tr("Copy Graph as P&ython"), {},
                                         tr("Copies the shown graph as a module of Python, as print_readable() does"),
                                         [this] { all_.copying->copyGraphAsPython(); })));
    menu->addAction(all_.copying->printAction());
}

void Menus::fillRecent() {
    recent_->clear();
    for (const QString& model : bench_.settings.recentModels())
        recent_->addAction(toQString(shownModel(model.toStdString())), this,
                           [this, model] { files_->openInstead(model); });
    recent_->setEnabled(!recent_->isEmpty());
    if (recent_->isEmpty()) return;
    recent_->addSeparator();
    recent_->addAction(tr("Clear List"), this, [this] {
        bench_.settings.clearRecentModels();
        fillRecent();
    });
}

void Menus::offerWindows(const std::function<void()>& open) {
    QMenu* file = qobject_cast<QMenu*>(bar_->actions().front()->menu());
    file->insertAction(all_.scratch->action(),
                       makeAction(this, QStringLiteral("actionNewWindow"), tr("New &Window"), {tr("Ctrl+Shift+N")},
                                  tr("Opens another window of aotscope"), open));
}

void Menus::buildRunMenu() {
    QMenu* menu = bar_->addMenu(tr("&Run"));
    const auto add = [&](const char* name, const QString& text, const QKeySequence& keys, const QString& tip,
                         void (RunController::*act)()) {
        QAction* action =
            ofSession(makeAction(this, QLatin1String(name), text, {keys}, tip, [this, act] { (all_.runs->*act)(); }));
        menu->addAction(action);
        return action;
    };
    QAction* run = add("actionRun", tr("&Compile Again"), Qt::Key_F5,
                       tr("Runs the pipeline again with the chosen options"), &RunController::run);
    QAction* check = add("actionCheck", tr("Chec&k Against Eager"), Qt::Key_F6,
                         tr("Compares outputs, gradients and mutations with eager"), &RunController::check);
    QAction* bisect = add("actionBisect", tr("Find &First Difference"), Qt::SHIFT | Qt::Key_F6,
                          tr("Finds the first pass and the first operation whose values differ from eager"),
                          &RunController::findDifference);
    QAction* time =
        add("actionTime", tr("&Time Every Step"), tr("Ctrl+T"),
            tr("Times eager, the compiled graphs and each of their steps, interleaved"), &RunController::time);
    menu->addAction(all_.compare->timeAction());
    for (QAction* action : all_.times->openings()) menu->addAction(action);
    menu->addAction(ofSession(all_.training->action()));
    menu->addAction(ofSession(all_.minify->action()));
    executing_ = {
        check, bisect, time, all_.training->action(), all_.minify->action(), all_.calibration->measureAction()};
    menu->addSeparator();
    for (QAction* action : all_.navigation->breakpoints()->actions()) menu->addAction(action);
    menu->addAction(bench_.pages->opening(all_.navigation->breakpoints()->panel()));
    menu->addSeparator();
    menu->addAction(bench_.options->action());
    QAction* limits = makeAction(this, QStringLiteral("actionLimits"), tr("&Limits…"), {tr("Ctrl+Shift+M")},
                                 tr("Sets time and memory limits for loading and tracing a model"),
                                 [this] { all_.runs->editLimits(); });
    menu->addAction(limits);
    bench_.options->addCommand(limits);
    menu->addAction(makeAction(this, QStringLiteral("actionCancel"), tr("Ca&ncel"), {tr("Ctrl+.")},
                               tr("Cancels the background job and keeps the previous results"),
                               [this] { Q_EMIT cancelRequested(); }));
    run->setIconText(tr("Compile"));
    check->setIconText(tr("Check"));
    time->setIconText(tr("Time"));
    tools_.compile = run;
    tools_.check = check;
    tools_.time = time;
}

void Menus::buildGoMenu() {
    QMenu* menu = addGraphMenu(tr("&Go"));
    all_.navigation->addGoActionsTo(menu);
    for (QAction* action : menu->actions()) ofSession(action);
    menu->addAction(ofSession(bench_.pages->opening(all_.navigation->history()->panel())));
    menu->addSeparator();
    const auto add = [&](const QString& text, const QKeySequence& keys, const std::function<void()>& act) {
        return menu->addAction(text, keys, this, act);
    };
    ofSession(add(tr("&Next Pass with Changes"), tr("N"), [this] { bench_.passes->step(1); }));
    ofSession(add(tr("&Previous Pass with Changes"), tr("B"), [this] { bench_.passes->step(-1); }));
    menu->addActions({all_.list->actions().begin(), all_.list->actions().end()});
    menu->addActions(models_.mid(1));
    add(tr("Next C&ompilation"), tr("]"), [this] { bench_.toolBar->stepCompilation(1); });
    add(tr("Previous Compi&lation"), tr("["), [this] { bench_.toolBar->stepCompilation(-1); });
    menu->addSeparator();
    for (const auto& [kind, key] : {std::pair{GraphKind::joint, "J"}, std::pair{GraphKind::forward, "F"},
                                    std::pair{GraphKind::backward, "K"}, std::pair{GraphKind::source, "S"},
                                    std::pair{GraphKind::functional, "U"}, std::pair{GraphKind::inference, "I"}})
        ofSession(add(tr("%1 Graph").arg(titleOf(kind)), QKeySequence(QLatin1String(key)),
                      [this, kind = kind] { showGraph(kind); }));
    menu->addSeparator();
    InspectorPanel* inspector = bench_.inspector;
    QAction* source = makeAction(this, QStringLiteral("actionSource"), tr("Show Sou&rce Line"), {tr("Ctrl+L")},
                                 tr("Shows the line of the model's source that the selected node comes from"),
                                 [inspector] { inspector->showSource(); });
    source->setEnabled(false);
    menu->addAction(source);
    menu->addAction(makeAction(this, QStringLiteral("actionWhy"), tr("&Why Saved or Recomputed"), {tr("Shift+W")},
                               tr("Shows in the Inspector why the selected value is saved, recomputed or neither"),
                               [this, inspector] {
                                   bench_.pages->show(inspector);
                                   inspector->showSection(QLatin1String(kWhySection));
                                   inspector->setFocus(Qt::ShortcutFocusReason);
                               }));
    connect(inspector, &InspectorPanel::sourceChanged, source,
            [source, inspector] { source->setEnabled(inspector->hasSource()); });
}

/// Also for the difference of two graphs in its place.
void Menus::showGraph(GraphKind kind) {
    all_.navigation->difference()->action()->setChecked(false);
    bench_.pane()->showKind(kind);
}

/// The menu of the canvas, after what-if's own entries.
void Menus::extendCanvasMenu() {
    connect(all_.whatIf, &WhatIfController::menuAsked, this, [this](QMenu* menu) {
        menu->addSeparator();
        for (QAction* action : all_.copying->nodeActions()) menu->addAction(action);
    });
    connect(all_.whatIf, &WhatIfController::menuAsked, all_.debug, &DebugController::addSelectionActionsTo);
    connect(all_.whatIf, &WhatIfController::menuAsked, all_.canvas, &CanvasController::addSelectionActionsTo);
}

}  // namespace aotscope
