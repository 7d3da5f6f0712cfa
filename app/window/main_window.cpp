#include "window/main_window.h"

#include "controllers/table_columns.h"
#include "load/profile/profile_reader.h"
#include "support/input_file.h"
#include "window/focus_ring.h"
#include "window/page_list.h"
#include "window/plain_texts.h"
#include "window/window_theme.h"

#include <QCloseEvent>
#include <QDir>
#include <QDragEnterEvent>
#include <QMimeData>
#include <QScrollArea>
#include <QUrl>

namespace aotscope {

namespace {

/// Qt does so only within the scroll area of the previous focus.
void scrollTo(QWidget* focus) {
    for (QWidget* part = focus; part; part = part->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(part); area && part != focus) area->ensureWidgetVisible(focus);
}

}  // namespace

MainWindow::MainWindow(std::shared_ptr<const Engine> engine, QWidget* parent)
    : QMainWindow(parent), bench_(this, std::move(engine)), all_(bench_) {
    setObjectName(QStringLiteral("mainWindow"));
    setWindowTitle(QStringLiteral("aotscope[*]"));
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    resize(1480, 940);
    PlainTexts::install();
    addPages(bench_, all_);
    handover_ = new SessionHandover(bench_, all_);
    presenter_ = new RunPresenter(bench_, all_, handover_);
    links_ = new SelectionLinks(bench_, all_, presenter_);
    files_ = new FileDialogs(bench_, all_, handover_);
    preferences_ = new Preferences(bench_);
    help_ = new HelpController(bench_, all_, preferences_);
    models_ = new ModelTabs(bench_, all_, handover_);
    menus_ = new Menus(bench_, all_, handover_, files_, preferences_, help_, models_->actions());
    addToolBarBreak();
    addToolBar(models_);
    new FocusRing(this);
    for (TablePanel* table : findChildren<TablePanel*>()) rememberColumns(table, &bench_.settings);
    connectMenus();
    connectPages();
    connectSearch();
    connectWork();
    all_.navigation->connectCamera();
    restore();
}

void MainWindow::restore() {
    applySettings();
    restoreGeometry(bench_.settings.windowGeometry());
    bench_.perspectives->restore();
    connect(bench_.centre, &Centre::currentChanged, this,
            [this] { bench_.perspectives->setAlone(bench_.centre->currentWidget() == bench_.centre->start()); });
    bench_.centre->start()->refresh(bench_.settings.recentModels());
}

/// Results that arrive later have no place to be shown.
MainWindow::~MainWindow() {
    all_.runs->job()->disconnect();
    for (QObject* worker : std::initializer_list<QObject*>{all_.whatIf, all_.list, all_.debug, all_.compare,
                                                           all_.calibration, all_.scratch})
        worker->disconnect();
}

// --- what is connected to what ---

void MainWindow::connectMenus() {
    connect(presenter_, &RunPresenter::sessionShown, menus_, &Menus::enableForSession);
    connect(presenter_, &RunPresenter::sessionShown, this, &MainWindow::leaveLog);
    connect(presenter_, &RunPresenter::sessionShown, models_, &ModelTabs::refresh);
    connect(menus_, &Menus::cancelRequested, this, &MainWindow::cancel);
    connect(preferences_, &Preferences::appearanceChanged, this, &MainWindow::applySettings);
    connect(menus_, &Menus::coloursChosen, this, &MainWindow::setColourBy);
    connect(help_, &HelpController::findRequested, this, [this](const QString& text) {
        all_.navigation->search()->start();
        all_.navigation->search()->panel()->edit()->setText(text);
    });
}

/// Pages that come to the front automatically.
void MainWindow::connectPages() {
    Pages* pages = bench_.pages;
    const auto show = [pages](QWidget* page) { return [pages, page] { pages->show(page); }; };
    connect(all_.debug, &DebugController::valuesAsked, this, show(all_.debug->panel()));
    connect(all_.debug, &DebugController::stepsAsked, this, show(all_.debug->steps()));
    connect(all_.debug, &DebugController::breakpointsAsked, this, show(all_.navigation->breakpoints()->panel()));
    connect(all_.times, &TimingController::asked, this, show(all_.times->panel()));
    connect(all_.training, &TrainController::shown, this, show(all_.training->panel()));
    connect(all_.profile, &ProfileController::shown, this, show(all_.profile->panel()));
    connect(all_.runs, &RunController::logGrown, all_.trace, &TraceController::refresh);
    connect(all_.trace, &TraceController::summaryShown, this, &MainWindow::showLog);
    connect(all_.trace, &TraceController::compileAsked, this, &MainWindow::leaveLog);
    connect(all_.trace, &TraceController::compileAsked, all_.runs, &RunController::openCompile);
    connect(all_.trace, &TraceController::nodeSelected, &bench_.selection, &Selection::select);
    connect(all_.trace, &TraceController::savedAsked, this, show(pages->find(QStringLiteral("valuesTable"))->widget));
    connect(all_.navigation->steps(), &StepController::changeShown, this, show(all_.navigation->steps()->changes()));
    connect(all_.whatIf, &WhatIfController::pageAsked, pages, &Pages::show);
    connect(all_.whatIf, &WhatIfController::runsAsked, this, show(all_.list->panel()));
    connect(all_.whatIf->memory(), &MemoryPanel::nodesSelected, all_.whatIf, &WhatIfController::nodesSelected);
    connect(all_.compare, &CompareController::shown, this, show(all_.compare->panel()));
    connect(all_.compare, &CompareController::compileAsked, all_.runs, &RunController::openCompile);
    connect(all_.compare, &CompareController::comparingChanged, this, [this, pages](bool comparing) {
        if (comparing) pages->show(all_.compare->panel());
    });
    const auto seeHistory = [this, pages] {
        all_.navigation->setHistorySeen(pages->inFront(all_.navigation->history()->panel()));
    };
    connect(pages->tabs(), &QTabWidget::currentChanged, this, seeHistory);
    connect(bench_.perspectives, &Perspectives::changed, this, seeHistory);
}

/// A log of several compilations is read before any of its graphs is: its page gets most of the window.
void MainWindow::showLog() {
    constexpr double share = 0.7;
    Pages* pages = bench_.pages;
    QDockWidget* dock = pages->dock(pages->tabs());
    pages->show(all_.trace->panel());
    if (usualTables_ == 0) usualTables_ = dock->height();
    resizeDocks({dock}, {static_cast<int>(share * height())}, Qt::Vertical);
}

/// For a graph.
void MainWindow::leaveLog() {
    if (usualTables_ > 0) resizeDocks({bench_.pages->dock(bench_.pages->tabs())}, {usualTables_}, Qt::Vertical);
    usualTables_ = 0;
}

void MainWindow::connectSearch() {
    SearchController* search = all_.navigation->search();
    QDockWidget* dock = bench_.pages->dock(search->panel());
    connect(search, &SearchController::shown, dock, [this, dock] {
        const bool first = !dock->isVisible();
        dock->show();
        dock->raise();
        // The list of passes is short, that of hits is not.
        if (first) resizeDocks({bench_.pages->dock(bench_.passes), dock}, {200, 300}, Qt::Vertical);
    });
    connect(search, &SearchController::closed, dock, &QWidget::hide);
    // By Esc, by its button, or from the View menu. A change of the perspective hides it only briefly.
    connect(
        dock, &QDockWidget::visibilityChanged, search,
        [search, dock] {
            if (dock->isHidden()) search->forget();
        },
        Qt::QueuedConnection);
}

/// Background work: shows what runs, and reports failures.
void MainWindow::connectWork() {
    StatusLine* status = bench_.status;
    GraphPane* pane = bench_.pane();
    connect(status, &StatusLine::cancelRequested, this, &MainWindow::cancel);
    status->follow(all_.whatIf);
    status->follow(all_.calibration);
    status->follow(all_.compare);
    status->follow(all_.list);
    status->follow(all_.debug);
    connect(pane, &GraphPane::layoutStarted, this, [this, status, pane] {
        if (!all_.runs->running())
            status->showProgress(tr("Layout of the %1 graph").arg(titleOf(pane->kind()).toLower()));
    });
    connect(pane, &GraphPane::layoutFinished, this, [this, status, pane] {
        if (!all_.runs->running()) status->showProgress({});
        pane->select(bench_.selection.node(), bench_.selection.others());
    });
    RunController* runs = all_.runs;
    for (Controller* each : all_.all()) {
        connect(each, &Controller::failed, runs, &RunController::reportFailure);
        connect(each, &Controller::said, status, &StatusLine::say);
        connect(each, &Controller::aboutToStart, runs, &RunController::announce);
    }
    connect(runs, &RunController::connectionLost, all_.remote, &RemoteController::heed);
    connect(all_.remote, &RemoteController::disconnected, this,
            [this](const QString& sentence) { bench_.report(ProblemsPanel::Kind::error, sentence); });
    connect(all_.remote, &RemoteController::machineChanged, status, &StatusLine::showMachine);
    connect(all_.remote, &RemoteController::machineChanged, all_.debug,
            [this](const QString&, const QString& why) { all_.debug->setReachable(why.isEmpty()); });
    connect(all_.remote, &RemoteController::reconnected, all_.debug, &DebugController::startAgain);
    connect(status, &StatusLine::machineClicked, all_.remote->reconnectAction(), &QAction::trigger);
    bench_.problems->offer(all_.remote->reconnectAction());
    connect(all_.log, &LogController::saved, status, &StatusLine::sayWritten);
    connect(bench_.problems, &ProblemsPanel::added, this, [this](ProblemsPanel::Kind kind, const QString& text) {
        all_.log->add(kind == ProblemsPanel::Kind::error     ? LogLevel::error
                      : kind == ProblemsPanel::Kind::warning ? LogLevel::warning
                                                             : LogLevel::info,
                      "window", text);
    });
    connect(all_.whatIf, &WhatIfController::applied, runs, &RunController::compileWith);
    connect(runs, &RunController::allowedChanged, all_.compare, &CompareController::setAllowed);
    pane->setUndoStack(all_.whatIf->undoStack());
}

// --- the window ---

bool MainWindow::busy() const {
    return all_.busy() || bench_.selection.busy() || bench_.pane()->layoutRunning() || bench_.pane()->marking() ||
           bench_.pages->busy() || bench_.inspector->busy() || handover_->file()->busy() ||
           bench_.centre->start()->busy() || help_->busy();
}

void MainWindow::finishFiles() {
    handover_->file()->end();
    bench_.settings.write();
}

void MainWindow::openModel(const QString& model, const InputSource& inputs, const std::filesystem::path& inputFolder) {
    all_.runs->openModel(model, inputs, inputFolder);
}

void MainWindow::cancel() {
    all_.whatIf->cancel();
    all_.list->cancel();
    all_.debug->cancel();
    all_.runs->cancel();
    bench_.pane()->cancelLayout();
}

void MainWindow::applySettings() {
    applyTextSize(bench_.settings.textSize());
    const Theme theme = applyAppearance(bench_.settings.appearance(), bench_.settings.colourBlind());
    for (QWidget* each : findChildren<QWidget*>())
        if (auto* themed = dynamic_cast<Themed*>(each)) themed->setTheme(theme);
    all_.navigation->setTheme(theme);
}

void MainWindow::setColourBy(ColourBy by) {
    bench_.settings.setColourBy(name(by));
    all_.navigation->colours()->colourBy(std::nullopt);
    for (GraphPane* pane : {bench_.pane(), all_.secondary->pane()}) pane->view()->setColourBy(by);
}

/// Docks behind others, and the tab bars of single docks, are off the screen but not hidden: Tab skips them. Qt also
/// asks for the next part when the one with the focus is hidden: it is the graph, since the keys of commands would be
/// letters in a filter.
bool MainWindow::focusNextPrevChild(bool next) {
    GraphView* graph = bench_.pane()->view();
    if (const QWidget* had = focusWidget(); had && !had->isVisible() && graph->isVisible()) {
        graph->setFocus(Qt::OtherFocusReason);
        return true;
    }
    const auto isOff = [this](const QWidget* part) {
        while (part && part->parentWidget() != this) part = part->parentWidget();
        return part && !rect().intersects(part->geometry());
    };
    const QWidget* first = nullptr;
    while (QMainWindow::focusNextPrevChild(next)) {
        QWidget* now = focusWidget();
        if (now == first || !isOff(now)) {
            scrollTo(now);
            return true;
        }
        if (!first) first = now;
    }
    return false;
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!handover_->guard()->mayClose()) return event->ignore();
    bench_.settings.setWindowGeometry(saveGeometry());
    bench_.perspectives->save();
    all_.runs->job()->cancel();
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->urls().value(0).isLocalFile()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    // File managers end the URL of a folder with a slash.
    const QString path = QDir::cleanPath(event->mimeData()->urls().value(0).toLocalFile());
    // With an open model, a JSON file contains a profile, or values for its nodes.
    constexpr std::size_t kSeen = 65536;
    if (session() && looksLikeProfile(beginningOf(path.toStdString(), kSeen))) all_.profile->open(path);
    else if (session() && path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive))
        all_.navigation->colours()->openOverlay(path);
    else if (!path.isEmpty()) files_->openInstead(path);
}

}  // namespace aotscope
