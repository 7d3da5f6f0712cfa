#include "window/main_window.h"

#include "controllers/make_action.h"
#include "io/report.h"
#include "ir/printer.h"
#include "support/confinement.h"
#include "support/file.h"
#include "window/security_page.h"
#include "window/window_layouts.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenuBar>
#include <QMessageBox>
#include <QStatusBar>
#include <nlohmann/json.hpp>

namespace aotscope {

void MainWindow::buildMenus() {
    buildFileMenu();
    copying_->addActionsTo(menuBar()->addMenu(tr("&Edit")));
    buildRunMenu();
    buildViewMenu();
    buildGoMenu();
    buildPartitionMenu();
    buildDebugMenu();
    buildHelpMenu();
    for (QAction* action : sessionActions_) action->setEnabled(false);
}

void MainWindow::buildFileMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&File"));
    auto* open = menu->addAction(tr("&Open Model or Session…"), QKeySequence::Open, this, &MainWindow::openDialog);
    open->setObjectName(QStringLiteral("actionOpen"));
    QMenu* samples = menu->addMenu(tr("Open &Sample"));
    samples->setObjectName(QStringLiteral("samplesMenu"));
    for (const auto& sample : sampleList()) {
        auto* action = samples->addAction(QString::fromStdString(sample.name), this, [this, name = sample.name] {
            openInstead(QString::fromStdString("sample:" + name));
        });
        action->setStatusTip(QString::fromStdString(sample.help));
    }
    recentMenu_ = menu->addMenu(tr("Open &Recent"));
    recentMenu_->setProperty("listsFiles", true);
    fillRecentMenu();
    auto* reload = menu->addAction(tr("Compile &When the File Changes"));
    reload->setObjectName(QStringLiteral("actionReload"));
    reload->setCheckable(true);
    reload->setChecked(settings_.reload());
    connect(reload, &QAction::toggled, this, [this](bool on) { settings_.setReload(on); });
    menu->addSeparator();
    sessionFile_->addActionsTo(menu);
    menu->addAction(recovery_->action());
    menu->addSeparator();
    sessionActions_.push_back(
        menu->addAction(tr("Example &Inputs…"), QKeySequence(tr("Ctrl+I")), this, &MainWindow::editInputs));
    sessionActions_.back()->setObjectName(QStringLiteral("actionInputs"));
    auto* libraries = menu->addAction(tr("Operator &Libraries…"), this, &MainWindow::editLibraries);
    libraries->setObjectName(QStringLiteral("actionLibraries"));
    menu->addSeparator();
    sessionActions_.push_back(
        menu->addAction(tr("&Export Graph…"), QKeySequence(tr("Ctrl+E")), this, &MainWindow::exportDialog));
    menu->addAction(times_->exportAction());
    sessionActions_.push_back(
        menu->addAction(tr("Save Re&port…"), QKeySequence(tr("Ctrl+Shift+R")), this, &MainWindow::reportDialog));
    sessionActions_.push_back(
        menu->addAction(tr("&Copy Graph as Text"), QKeySequence(tr("Ctrl+Shift+C")), this, &MainWindow::copyGraphText));
    menu->addAction(copying_->printAction());
    menu->addSeparator();
    auto* quit = menu->addAction(tr("&Quit"), QKeySequence::Quit, this, &QWidget::close);
    quit->setObjectName(QStringLiteral("actionQuit"));
}

void MainWindow::buildRunMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&Run"));
    const auto add = [&](const char* name, const QString& text, const QKeySequence& keys, const QString& tip,
                         const std::function<void()>& act) {
        sessionActions_.push_back(makeAction(this, QLatin1String(name), text, {keys}, tip, act));
        menu->addAction(sessionActions_.back());
        return sessionActions_.back();
    };
    QAction* run = add("actionRun", tr("&Compile Again"), Qt::Key_F5,
                       tr("Runs the pipeline again with the options in the bar"), [this] { this->run(); });
    QAction* check = add("actionCheck", tr("Chec&k Against Eager"), Qt::Key_F6,
                         tr("Compares outputs, gradients and mutations with eager"), [this] { this->check(); });
    add("actionBisect", tr("Find &First Difference"), Qt::SHIFT | Qt::Key_F6,
        tr("Finds the first pass and the first operation whose values differ from eager"),
        [this] { findDifference(); });
    QAction* time =
        add("actionTime", tr("&Time Every Step"), tr("Ctrl+T"),
            tr("Times eager, the compiled graphs and each of their steps, interleaved"), [this] { this->time(); });
    menu->addAction(compare_->timeAction());
    times_->addActionsTo(menu);
    menu->addAction(training_->action());
    sessionActions_.push_back(training_->action());
    menu->addSeparator();
    exploration_->addRunActionsTo(menu);
    menu->addAction(makeAction(this, QStringLiteral("actionLimits"), tr("&Limits…"), {tr("Ctrl+Shift+M")},
                               tr("Limits of time and memory for loading and tracing a model"),
                               [this] { editLimits(); }));
    menu->addAction(makeAction(this, QStringLiteral("actionCancel"), tr("Ca&ncel"), {tr("Ctrl+.")},
                               tr("Cancels the background job and keeps the previous results"), [this] { cancel(); }));
    optionsBar_->addSeparator();
    for (QAction* action : {run, check, time}) optionsBar_->addAction(action);
    run->setIconText(tr("Compile"));
    check->setIconText(tr("Check"));
    time->setIconText(tr("Time"));
}

void MainWindow::buildViewMenu() {
    viewMenu_ = menuBar()->addMenu(tr("&View"));
    GraphView* view = pane_->view();
    viewMenu_->addAction(tr("Zoom &In"), QKeySequence::ZoomIn, this, [view] { view->zoomBy(1.25); });
    viewMenu_->addAction(tr("Zoom &Out"), QKeySequence::ZoomOut, this, [view] { view->zoomBy(0.8); });
    viewMenu_->addAction(tr("&100 %"), QKeySequence(tr("Z")), this, [view] { view->resetZoom(); });
    viewMenu_->addAction(tr("Fit &Width"), QKeySequence(tr("Shift+Z")), this, [view] { view->fitWidth(); });
    viewMenu_->addAction(tr("Fit &All"), QKeySequence(tr("Ctrl+0")), this, [view] { view->fitAll(); });
    viewMenu_->addAction(tr("&Centre on Selection"), QKeySequence(tr("C")), this,
                         [view] { view->centreOnSelection(); });
    viewMenu_->addSeparator();
    canvas_->addActionsTo(viewMenu_);
    viewMenu_->addSeparator();

    QMenu* colours = viewMenu_->addMenu(tr("Colour &By"));
    auto* colourGroup = new QActionGroup(this);
    const ColourBy remembered = colourByFromName(settings_.colourBy()).value_or(ColourBy::stage);
    for (const auto& [by, text, key] :
         {std::tuple{ColourBy::stage, tr("&Part: Forward, Backward, Recomputed"), tr("P")},
          std::tuple{ColourBy::fate, tr("&Fate: Saved, Recomputed, Neither"), tr("T")},
          std::tuple{ColourBy::family, tr("&Operation Family"), tr("O")},
          std::tuple{ColourBy::mutation, tr("&Mutation and Aliasing"), tr("M")}}) {
        auto* action = colourGroup->addAction(
            colours->addAction(text, QKeySequence(key), this, [this, by = by] { setColourBy(by); }));
        action->setObjectName(QStringLiteral("colourBy-") + name(by));
        action->setCheckable(true);
        action->setChecked(by == remembered);
    }
    for (GraphPane* pane : {pane_, beside_->pane()}) pane->view()->setColourBy(remembered);
    exploration_->colours()->addActionsTo(colours, colourGroup);
    if (const auto values = dimensionFromName(settings_.colourBy()); values && *values < Dimension::measured)
        exploration_->colours()->colourBy(values);
    auto* beside = viewMenu_->addAction(tr("Second Graph &Beside"), QKeySequence(tr("D")), beside_, &Beside::show);
    beside->setObjectName(QStringLiteral("actionBeside"));
    beside->setCheckable(true);
    sessionActions_.push_back(beside);
    QAction* link = makeToggle(this, QStringLiteral("actionLinkCameras"), tr("&Link Views"), {tr("Shift+C")},
                               tr("Pan and zoom both graphs together"), [this](bool linked) {
                                   settings_.setLinkedCameras(linked);
                                   beside_->linkCameras(linked);
                               });
    link->setChecked(settings_.linkedCameras());
    viewMenu_->addAction(link);
    for (QAction* action : compare_->actions()) viewMenu_->addAction(action);
    connect(compare_, &CompareController::comparingChanged, beside, &QAction::setChecked);
    QMenu* appearance = viewMenu_->addMenu(tr("A&ppearance"));
    auto* appearanceGroup = new QActionGroup(this);
    for (const auto& [value, text] :
         {std::pair{Settings::Appearance::system, tr("System")}, std::pair{Settings::Appearance::light, tr("Light")},
          std::pair{Settings::Appearance::dark, tr("Dark")}}) {
        auto* action = appearanceGroup->addAction(
            appearance->addAction(text, this, [this, value = value] { setAppearance(value); }));
        action->setCheckable(true);
        action->setChecked(value == settings_.appearance());
    }
    viewMenu_->addMenu((new WindowLayouts(this, settings_))->menu());
    viewMenu_->addSeparator();
    viewMenu_->addAction(optionsBar_->toggleViewAction());
    viewMenu_->addAction(debug_->toolBar()->toggleViewAction());
    for (QDockWidget* dock : findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly))
        viewMenu_->addAction(dock->toggleViewAction());
}

void MainWindow::buildGoMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&Go"));
    exploration_->addGoActionsTo(menu);
    for (QAction* action : exploration_->sessionActions()) sessionActions_.push_back(action);
    sessionActions_.push_back(
        menu->addAction(tr("&Next Pass with Changes"), QKeySequence(tr("N")), this, [this] { passes_->step(1); }));
    sessionActions_.push_back(
        menu->addAction(tr("&Previous Pass with Changes"), QKeySequence(tr("B")), this, [this] { passes_->step(-1); }));
    menu->addAction(tr("Next C&ompilation"), QKeySequence(tr("]")), this, [this] { optionsBar_->stepCompile(1); });
    menu->addAction(tr("Previous Compi&lation"), QKeySequence(tr("[")), this, [this] { optionsBar_->stepCompile(-1); });
    menu->addSeparator();
    for (const auto& [kind, key] : {std::pair{GraphKind::joint, "J"}, std::pair{GraphKind::forward, "F"},
                                    std::pair{GraphKind::backward, "K"}, std::pair{GraphKind::source, "S"},
                                    std::pair{GraphKind::functional, "U"}, std::pair{GraphKind::inference, "I"}})
        sessionActions_.push_back(menu->addAction(tr("%1 Graph").arg(titleOf(kind)), QKeySequence(QLatin1String(key)),
                                                  this, [this, kind = kind] { pane_->showKind(kind); }));
    menu->addSeparator();
    sourceAction_ =
        menu->addAction(tr("Show Sou&rce Line"), QKeySequence(tr("Ctrl+L")), inspector_, &InspectorPanel::showSource);
    sourceAction_->setObjectName(QStringLiteral("actionSource"));
    sourceAction_->setEnabled(false);
}

void MainWindow::buildPartitionMenu() { laboratory_->addActionsTo(menuBar()->addMenu(tr("&Partition"))); }

void MainWindow::buildDebugMenu() {
    debug_->addActionsTo(menuBar()->addMenu(tr("&Debug")));
    addToolBar(debug_->toolBar());
}

void MainWindow::decompositionDialog() {
    const QString file = QFileDialog::getOpenFileName(this, tr("Open Decomposition Table"), settings_.lastFolder(),
                                                      tr("Table (*.json);;All files (*)"));
    if (file.isEmpty()) return;
    settings_.setLastFolder(QFileInfo(file).path());
    try {
        optionsBar_->takeDecompositions(file);
    } catch (const std::exception& e) {
        problems_->add(ProblemsPanel::Kind::error, QString::fromUtf8(e.what()));
    }
}

void MainWindow::pluginDialog() {
    const QString file = QFileDialog::getOpenFileName(this, tr("Open Compiler Plug-in"), settings_.lastFolder(),
                                                      tr("Shared libraries (*.so *.so.*);;All files (*)"));
    if (file.isEmpty()) return;
    settings_.setLastFolder(QFileInfo(file).path());
    try {
        optionsBar_->takePlugin(file);
    } catch (const std::exception& e) {
        problems_->add(ProblemsPanel::Kind::error, QString::fromUtf8(e.what()));
    }
}

void MainWindow::exportChartDialog(const QString& chart, void (LaboratoryController::*write)(const QString& file)) {
    const QString suggestion =
        settings_.lastFolder() + u'/' + QString::fromStdString(session_->record()->model.name) + u'-' + chart;
    QString file = QFileDialog::getSaveFileName(this, tr("Export Chart"), suggestion + QStringLiteral(".svg"),
                                                tr("SVG (*.svg);;PNG (*.png)"));
    if (file.isEmpty()) return;
    if (QFileInfo(file).suffix().isEmpty()) file += QStringLiteral(".svg");
    settings_.setLastFolder(QFileInfo(file).path());
    (laboratory_->*write)(file);
}

void MainWindow::exportTrainingDialog() {
    const QString suggestion = settings_.lastFolder() + u'/' + QString::fromStdString(session_->record()->model.name) +
                               QStringLiteral("-training.svg");
    const QString file = QFileDialog::getSaveFileName(this, tr("Export Training"), suggestion,
                                                      tr("SVG (*.svg);;PNG (*.png);;Table (*.csv);;JSON (*.json)"));
    if (file.isEmpty()) return;
    settings_.setLastFolder(QFileInfo(file).path());
    training_->exportTo(file);
}

void MainWindow::batchesDialog() {
    const QString file = QFileDialog::getOpenFileName(this, tr("Open Batches"), settings_.lastFolder(),
                                                      tr("Tensors (*.pt *.npy *.safetensors);;All files (*)"));
    if (file.isEmpty()) return;
    settings_.setLastFolder(QFileInfo(file).path());
    training_->panel()->setData(file);
}

void MainWindow::buildHelpMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&Help"));
    exploration_->addHelpActionsTo(menu);
    menu->addAction(tr("&Start Page"), this, [this] {
        start_->refresh(settings_.recentModels());
        centre_->setCurrentWidget(start_);
    });
    auto* security = menu->addAction(tr("&What Files May Do"), this, [this] { (new SecurityPage(this))->open(); });
    security->setObjectName(QStringLiteral("actionSecurity"));
    security->setStatusTip(tr("What each kind of file may do when opened and run, and how it is confined"));
    menu->addAction(tr("&About"), this, [this] {
        QMessageBox::about(this, tr("About aotscope"),
                           tr("aotscope %1\n\nPyTorch's AOTAutograd pipeline in C++, with every step "
                              "visible.\n\nLibTorch %2, Qt %3\n%4")
                               .arg(QStringLiteral(AOTSCOPE_VERSION), QString::fromStdString(torchVersion()),
                                    QString::fromLatin1(qVersion()), QString::fromStdString(confinementText())));
    });
}

void MainWindow::fillRecentMenu() {
    recentMenu_->clear();
    for (const QString& model : settings_.recentModels())
        recentMenu_->addAction(model, this, [this, model] { openInstead(model); });
    recentMenu_->setEnabled(!recentMenu_->isEmpty());
    if (recentMenu_->isEmpty()) return;
    recentMenu_->addSeparator();
    recentMenu_->addAction(tr("Clear List"), this, [this] {
        settings_.clearRecentModels();
        fillRecentMenu();
    });
}

void MainWindow::openDialog() {
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open Model or Session"), settings_.lastFolder(),
        tr("Models, sessions and graphs (*.pt2 *.pt *.pth *.aotscope *.log *.txt);;All files (*)"));
    if (path.isEmpty()) return;
    settings_.setLastFolder(QFileInfo(path).path());
    openInstead(path);
}

void MainWindow::exportDialog() {
    const QString suggestion = settings_.lastFolder() + u'/' + QString::fromStdString(session_->record()->model.name) +
                               u'-' + titleOf(pane_->kind()).toLower().replace(u' ', u'-') + QStringLiteral(".svg");
    const QString file = QFileDialog::getSaveFileName(
        this, tr("Export Graph"), suggestion,
        tr("SVG (*.svg);;Web page (*.html);;PNG (*.png);;PDF (*.pdf);;Graphviz (*.dot);;Text (*.txt);;JSON "
           "(*.json);;TorchScript (*.pt);;TorchScript text (*.jit)"));
    if (file.isEmpty()) return;
    settings_.setLastFolder(QFileInfo(file).path());
    exportTo(file);
}

void MainWindow::reportDialog() {
    const QString suggestion = settings_.lastFolder() + u'/' + QString::fromStdString(session_->record()->model.name) +
                               QStringLiteral(".json");
    const QString file = QFileDialog::getSaveFileName(this, tr("Save Report"), suggestion, tr("Report (*.json)"));
    if (file.isEmpty()) return;
    try {
        const auto report = makeReport(session_->options(), *session_->record(), checked_ ? &*checked_ : nullptr,
                                       timing_ ? &*timing_ : nullptr, bisected_ ? &*bisected_ : nullptr);
        writeFileAtomically(file.toStdString(), jsonText(report));
        statusBar()->showMessage(tr("Saved %1").arg(file), 8000);
    } catch (const std::exception& e) {
        problems_->add(ProblemsPanel::Kind::error, QString::fromUtf8(e.what()));
    }
}

void MainWindow::copyGraphText() {
    if (pane_->graph()) QApplication::clipboard()->setText(QString::fromStdString(printGraph(*pane_->graph())));
}

}  // namespace aotscope
