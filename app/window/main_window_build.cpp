// How the window is put together: its docks, tables and status bar, and what is connected to what.

#include "crash/crash_handler.h"
#include "window/main_window.h"

#include <QDockWidget>
#include <QFileInfo>
#include <QSplitter>
#include <QStatusBar>

namespace aotscope {

void MainWindow::buildCentre() {
    centre_ = new QStackedWidget(this);
    start_ = new StartPage(centre_);
    pane_ = new GraphPane(centre_);
    pane_->setObjectName(QStringLiteral("graphPane"));
    beside_ = new Beside(pane_, new GraphPane(centre_), &selection_, this);
    compare_ = new CompareController(beside_, &selection_, this);
    graphs_ = new QSplitter(centre_);
    graphs_->setChildrenCollapsible(false);
    graphs_->addWidget(pane_);
    graphs_->addWidget(beside_->pane());
    centre_->addWidget(start_);
    centre_->addWidget(graphs_);
    setCentralWidget(centre_);
    optionsBar_ = new OptionsBar(this);
    addToolBar(optionsBar_);
}

QDockWidget* MainWindow::addDock(const QString& name, const QString& title, QWidget* widget, Qt::DockWidgetArea area) {
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(name);
    dock->setWidget(widget);
    addDockWidget(area, dock);
    return dock;
}

void MainWindow::buildDocks() {
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    passes_ = new PassPanel(this);
    inspector_ = new InspectorPanel(this);
    tables_ = new QTabWidget(this);
    tables_->setObjectName(QStringLiteral("tables"));
    tables_->setDocumentMode(true);
    const auto addTable = [this](const QString& name, const QString& title) {
        auto* panel = new TablePanel(tables_);
        panel->setObjectName(name);
        panel->view()->setAccessibleName(title);
        tables_->addTab(panel, title);
        return panel;
    };
    inputs_ = addTable(QStringLiteral("inputsTable"), tr("Inputs"));
    outputs_ = addTable(QStringLiteral("outputsTable"), tr("Outputs"));
    saved_ = addTable(QStringLiteral("savedTable"), tr("Saved"));
    recomputed_ = addTable(QStringLiteral("recomputedTable"), tr("Recomputed"));
    runtime_ = addTable(QStringLiteral("runtimeTable"), tr("Runtime"));
    guards_ = addTable(QStringLiteral("guardsTable"), tr("Guards"));
    timingTable_ = addTable(QStringLiteral("timingTable"), tr("Timing"));
    problems_ = new ProblemsPanel(tables_);
    tables_->addTab(problems_, tr("Problems"));
    tables_->setCurrentWidget(saved_);

    laboratory_ = new LaboratoryController(pane_, &selection_, this);
    times_ = new TimingController(tables_, &settings_, this);
    consent_ = new ConsentController(this, &settings_);
    sessionCode_ = new SessionCode(consent_, this);
    sessionFile_ = new SessionController(this, [this] { return resultsToSave(); });
    closeGuard_ = new CloseGuard(sessionFile_, this);
    recovery_ = new RecoveryController(this, [this] { return !session_ && !job_.running(); });
    canvas_ = new CanvasController(pane_, &selection_, &settings_, this);
    const auto addTab = [this](int index, const QString& title, QWidget* widget) {
        tables_->insertTab(index, widget, title);
    };
    addTab(4, tr("Difference"), laboratory_->difference());
    addTab(5, tr("Variants"), laboratory_->variantPanel());
    addTab(6, tr("Pareto"), laboratory_->pareto());
    addTab(7, tr("Memory"), laboratory_->memory());
    addTab(8, tr("Flame Chart"), times_->flame());
    addTab(9, tr("Timeline"), times_->timeline());
    decompositions_ = new TablePair({QStringLiteral("decompositionRules"), tr("Active rules")},
                                    {QStringLiteral("rewriteTable"), tr("Rewrites")}, 40, tables_);
    addTab(10, tr("Decompositions"), decompositions_);
    addTab(11, tr("Compare"), compare_->panel());
    training_ = new TrainController(&job_, this);
    addTab(12, tr("Training"), training_->panel());
    debug_ = new DebugController(pane_, &selection_, this);
    tables_->addTab(debug_->breakpoints(), tr("Value Breakpoints"));

    copying_ = new CopyController(pane_, &selection_, tables_, this);
    for (TablePanel* table : tables_->findChildren<TablePanel*>()) copying_->addTo(table);

    auto* left = addDock(QStringLiteral("passesDock"), tr("Passes"), passes_, Qt::LeftDockWidgetArea);
    auto* right = addDock(QStringLiteral("inspectorDock"), tr("Inspector"), inspector_, Qt::RightDockWidgetArea);
    auto* bottom = addDock(QStringLiteral("tablesDock"), tr("Tables"), tables_, Qt::BottomDockWidgetArea);
    auto* why = addDock(QStringLiteral("whyDock"), tr("Why"), laboratory_->why(), Qt::RightDockWidgetArea);
    auto* whatIf = addDock(QStringLiteral("whatIfDock"), tr("What If"), laboratory_->whatIf(), Qt::RightDockWidgetArea);
    auto* values = addDock(QStringLiteral("valuesDock"), tr("Values"), debug_->panel(), Qt::RightDockWidgetArea);
    exploration_ = new Exploration({this, pane_, graphs_, &selection_, passes_, tables_, &settings_});
    tabifyDockWidget(right, why);
    tabifyDockWidget(why, whatIf);
    tabifyDockWidget(whatIf, values);
    right->raise();
    setTabPosition(Qt::RightDockWidgetArea, QTabWidget::North);
    resizeDocks({left, right}, {290, 365}, Qt::Horizontal);
    resizeDocks({bottom}, {260}, Qt::Vertical);
}

void MainWindow::buildStatusBar() {
    summary_ = new QLabel(this);
    summary_->setObjectName(QStringLiteral("summary"));
    summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    stage_ = new QLabel(this);
    progress_ = new QProgressBar(this);
    progress_->setRange(0, 0);
    progress_->setMaximumWidth(120);
    cancelButton_ = new QToolButton(this);
    cancelButton_->setText(tr("Cancel"));
    cancelButton_->setToolTip(tr("Cancel the running job (Ctrl+.)"));
    statusBar()->addWidget(summary_, 1);
    for (QWidget* widget :
         {static_cast<QWidget*>(stage_), static_cast<QWidget*>(progress_), static_cast<QWidget*>(cancelButton_)}) {
        statusBar()->addPermanentWidget(widget);
        widget->hide();
    }
}

void MainWindow::connectSignals() {
    connect(start_, &StartPage::modelChosen, this, [this](const QString& model) { openInstead(model); });
    connect(start_, &StartPage::openRequested, this, &MainWindow::openDialog);
    connect(optionsBar_, &OptionsBar::changed, this, [this] {
        optionsBar_->writeTo(options_);
        settings_.setKeepInputMutations(options_.keepInputMutations);
        if (!options_.model.empty()) run();
    });
    connect(optionsBar_, &OptionsBar::decompositionFileWanted, this, &MainWindow::decompositionDialog);
    connect(optionsBar_, &OptionsBar::pluginWanted, this, &MainWindow::pluginDialog);
    connect(optionsBar_, &OptionsBar::compileChosen, this, &MainWindow::openCompile);
    connect(&watcher_, &ModelWatcher::changed, this, &MainWindow::onModelChanged);
    connect(cancelButton_, &QToolButton::clicked, this, &MainWindow::cancel);

    const auto showProgress = [this](const QString& text) {
        noteForCrashes(CrashNote::work, text.toStdString());
        stage_->setText(text);
        for (QWidget* widget :
             {static_cast<QWidget*>(stage_), static_cast<QWidget*>(progress_), static_cast<QWidget*>(cancelButton_)})
            widget->setVisible(!text.isEmpty());
    };
    connect(&job_, &BackgroundJob::started, this, showProgress);
    connect(&job_, &BackgroundJob::stageEntered, this,
            [this, showProgress](const QString& stage) { showProgress(status_.enter(stage)); });
    connect(&job_, &BackgroundJob::finished, this, [showProgress] { showProgress({}); });
    connect(&job_, &BackgroundJob::failed, this, &MainWindow::onJobFailure);
    connect(pane_, &GraphPane::layoutStarted, this, [this, showProgress] {
        if (!job_.running()) showProgress(tr("Layout of the %1 graph").arg(titleOf(pane_->kind()).toLower()));
    });
    connect(pane_, &GraphPane::layoutFinished, this, [this, showProgress] {
        if (!job_.running()) showProgress({});
        pane_->select(selection_.node(), selection_.others());
    });
    connectLaboratory(showProgress);
    connectDebugger(showProgress);
    connectTraining();
    connectSessionFile();
    connectConsent();
    connectBreakpoints();
    connect(exploration_, &Exploration::failed, this, &MainWindow::onFailure);
    pane_->setUndoStack(laboratory_->undoStack());
    connect(laboratory_, &LaboratoryController::menuAsked, canvas_, &CanvasController::addSelectionActionsTo);
    connect(canvas_, &CanvasController::said, this,
            [this](const QString& sentence) { statusBar()->showMessage(sentence, 8000); });

    connect(pane_, &GraphPane::nodeSelected, &selection_, &Selection::select);
    connect(pane_, &GraphPane::graphChanged, this, [this] {
        selection_.moveTo(pane_->graph(), pane_->kind());
        showSummary();
    });
    connect(&selection_, &Selection::changed, this, &MainWindow::onSelectionChanged);
    connect(inspector_, &InspectorPanel::nodeSelected, this, [this](NodeId node) {
        // The forward operation of a backward one is not in every graph; it is in the joint one.
        if (selection_.graph() && selection_.graph()->findById(node)) selection_.select(node);
        else selectIn(node, GraphKind::joint);
    });
    connect(inspector_, &InspectorPanel::sourceChanged, this,
            [this] { sourceAction_->setEnabled(inspector_->hasSource()); });
    connect(passes_, &PassPanel::passSelected, this, &MainWindow::showPass);
    for (TablePanel* panel : {inputs_, outputs_, saved_, recomputed_, runtime_, timingTable_, decompositions_->right()})
        connect(panel, &TablePanel::nodeSelected, this, &MainWindow::selectIn);
    connect(times_, &TimingController::nodesSelected, this, &MainWindow::selectAllIn);
    connect(times_, &TimingController::failed, this, &MainWindow::onFailure);
    connect(times_, &TimingController::exported, this, [this](const QString& file) {
        settings_.setLastFolder(QFileInfo(file).path());
        statusBar()->showMessage(tr("Saved %1").arg(file), 8000);
    });
    connect(problems_, &ProblemsPanel::raised, this, [this] { tables_->setCurrentWidget(problems_); });
    exploration_->connectSignals();
}

void MainWindow::connectDebugger(const std::function<void(const QString&)>& showProgress) {
    connect(debug_, &DebugController::failed, this, &MainWindow::onFailure);
    connect(debug_, &DebugController::started, this, showProgress);
    connect(debug_, &DebugController::stageEntered, this, showProgress);
    connect(debug_, &DebugController::finished, this, [showProgress] { showProgress({}); });
    connect(debug_, &DebugController::valuesAsked, this, [this] {
        auto* dock = findChild<QDockWidget*>(QStringLiteral("valuesDock"));
        dock->show();
        dock->raise();
    });
    connect(debug_, &DebugController::breakpointsAsked, this,
            [this] { tables_->setCurrentWidget(debug_->breakpoints()); });
    connect(laboratory_, &LaboratoryController::menuAsked, debug_, &DebugController::addSelectionActionsTo);
}

void MainWindow::connectLaboratory(const std::function<void(const QString&)>& showProgress) {
    connect(laboratory_, &LaboratoryController::nodeSelected, this,
            [this](NodeId node) { selectIn(node, GraphKind::joint); });
    connect(laboratory_, &LaboratoryController::activated, this, &MainWindow::compileWith);
    connect(beside_, &Beside::failed, this, &MainWindow::onFailure);
    connect(compare_, &CompareController::failed, this, &MainWindow::onFailure);
    connect(compare_, &CompareController::started, this, showProgress);
    connect(compare_, &CompareController::stageEntered, this, showProgress);
    connect(compare_, &CompareController::finished, this, [showProgress] { showProgress({}); });
    connect(compare_, &CompareController::comparingChanged, this, [this](bool comparing) {
        if (comparing) tables_->setCurrentWidget(compare_->panel());
    });
    connect(laboratory_, &LaboratoryController::failed, this, &MainWindow::onFailure);
    connect(laboratory_, &LaboratoryController::started, this, [this, showProgress](const QString& title) {
        laboratoryTitle_ = title;
        showProgress(title);
    });
    connect(laboratory_, &LaboratoryController::stageEntered, this, [this, showProgress](const QString& stage) {
        showProgress(laboratoryTitle_ + QStringLiteral(": ") + stage);
    });
    connect(laboratory_, &LaboratoryController::finished, this, [showProgress] { showProgress({}); });
    connect(laboratory_->pareto(), &ParetoPanel::exportRequested, this,
            [this] { exportChartDialog(QStringLiteral("pareto"), &LaboratoryController::exportPareto); });
    connect(laboratory_->memory(), &MemoryPanel::exportRequested, this,
            [this] { exportChartDialog(QStringLiteral("memory"), &LaboratoryController::exportMemory); });
    for (TablePanel* panel : {saved_, recomputed_, laboratory_->difference()->right()}) laboratory_->addWishesTo(panel);
}

void MainWindow::connectTraining() {
    connect(training_, &TrainController::shown, this, [this] { tables_->setCurrentWidget(training_->panel()); });
    connect(training_, &TrainController::aboutToStart, this,
            [this](const QString& title) { status_.begin(title, toQString(session_->record()->model.name), 1); });
    connect(training_, &TrainController::failed, this, &MainWindow::onFailure);
    connect(training_, &TrainController::exportRequested, this, &MainWindow::exportTrainingDialog);
    connect(training_, &TrainController::dataRequested, this, &MainWindow::batchesDialog);
}

}  // namespace aotscope
