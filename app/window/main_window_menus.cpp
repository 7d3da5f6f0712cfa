#include "window/main_window.h"

#include "io/report.h"
#include "ir/printer.h"
#include "controllers/make_action.h"
#include "window/security_page.h"
#include "support/confinement.h"
#include "support/file.h"
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
    auto* open = menu->addAction(tr("&Open model or session…"), QKeySequence::Open, this, &MainWindow::openDialog);
    open->setObjectName(QStringLiteral("actionOpen"));
    QMenu* samples = menu->addMenu(tr("Open &sample"));
    samples->setObjectName(QStringLiteral("samplesMenu"));
    for (const auto& sample : sampleList()) {
        auto* action = samples->addAction(QString::fromStdString(sample.name), this, [this, name = sample.name] {
            openInstead(QString::fromStdString("sample:" + name));
        });
        action->setStatusTip(QString::fromStdString(sample.help));
    }
    recentMenu_ = menu->addMenu(tr("Open &recent"));
    recentMenu_->setProperty("listsFiles", true);
    fillRecentMenu();
    auto* reload = menu->addAction(tr("Compile again &when the file changes"));
    reload->setObjectName(QStringLiteral("actionReload"));
    reload->setCheckable(true);
    reload->setChecked(settings_.reload());
    connect(reload, &QAction::toggled, this, [this](bool on) { settings_.setReload(on); });
    menu->addSeparator();
    sessionFile_->addActionsTo(menu);
    menu->addAction(recovery_->action());
    menu->addSeparator();
    sessionActions_.push_back(
        menu->addAction(tr("Example &inputs…"), QKeySequence(tr("Ctrl+I")), this, &MainWindow::editInputs));
    sessionActions_.back()->setObjectName(QStringLiteral("actionInputs"));
    auto* libraries = menu->addAction(tr("Operator &libraries…"), this, &MainWindow::editLibraries);
    libraries->setObjectName(QStringLiteral("actionLibraries"));
    menu->addSeparator();
    sessionActions_.push_back(
        menu->addAction(tr("&Export graph…"), QKeySequence(tr("Ctrl+E")), this, &MainWindow::exportDialog));
    menu->addAction(times_->exportAction());
    sessionActions_.push_back(
        menu->addAction(tr("Save re&port…"), QKeySequence(tr("Ctrl+Shift+R")), this, &MainWindow::reportDialog));
    sessionActions_.push_back(
        menu->addAction(tr("&Copy graph as text"), QKeySequence(tr("Ctrl+Shift+C")), this, &MainWindow::copyGraphText));
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
    QAction* run = add("actionRun", tr("&Compile again"), Qt::Key_F5,
                       tr("Runs the pipeline again, with the options in the bar"), [this] { this->run(); });
    QAction* check = add("actionCheck", tr("Chec&k against eager"), Qt::Key_F6,
                         tr("Compares outputs, gradients and all that a run changes with those of eager"),
                         [this] { this->check(); });
    add("actionBisect", tr("Find &first difference"), Qt::SHIFT | Qt::Key_F6,
        tr("Finds the first pass and the first operation whose values are not those of eager"),
        [this] { findDifference(); });
    QAction* time =
        add("actionTime", tr("&Time every step"), tr("Ctrl+T"),
            tr("Times eager, the compiled graphs and each of their steps, in turn"), [this] { this->time(); });
    menu->addAction(compare_->timeAction());
    times_->addActionsTo(menu);
    menu->addAction(training_->action());
    sessionActions_.push_back(training_->action());
    menu->addSeparator();
    navigation_->addRunActionsTo(menu);
    menu->addAction(makeAction(this, QStringLiteral("actionLimits"), tr("&Limits…"), {tr("Ctrl+Shift+M")},
                               tr("How long loading and tracing a model may take, and how much memory"),
                               [this] { editLimits(); }));
    menu->addAction(makeAction(this, QStringLiteral("actionCancel"), tr("Ca&ncel"), {tr("Ctrl+.")},
                               tr("Ends what runs in the background; what was there before stays"),
                               [this] { cancel(); }));
    optionsBar_->addSeparator();
    for (QAction* action : {run, check, time}) optionsBar_->addAction(action);
    run->setIconText(tr("Compile"));
    check->setIconText(tr("Check"));
    time->setIconText(tr("Time"));
}

void MainWindow::buildViewMenu() {
    viewMenu_ = menuBar()->addMenu(tr("&View"));
    GraphView* view = pane_->view();
    viewMenu_->addAction(tr("Zoom &in"), QKeySequence::ZoomIn, this, [view] { view->zoomBy(1.25); });
    viewMenu_->addAction(tr("Zoom &out"), QKeySequence::ZoomOut, this, [view] { view->zoomBy(0.8); });
    viewMenu_->addAction(tr("&100 %"), QKeySequence(tr("Z")), this, [view] { view->resetZoom(); });
    viewMenu_->addAction(tr("Fit &width"), QKeySequence(tr("Shift+Z")), this, [view] { view->fitWidth(); });
    viewMenu_->addAction(tr("Fit &all"), QKeySequence(tr("Ctrl+0")), this, [view] { view->fitAll(); });
    viewMenu_->addAction(tr("&Centre on selection"), QKeySequence(tr("C")), this,
                         [view] { view->centreOnSelection(); });
    viewMenu_->addSeparator();
    canvas_->addActionsTo(viewMenu_);
    viewMenu_->addSeparator();

    QMenu* colours = viewMenu_->addMenu(tr("Colour &by"));
    auto* colourGroup = new QActionGroup(this);
    const ColourBy remembered = colourByFromName(settings_.colourBy()).value_or(ColourBy::stage);
    for (const auto& [by, text, key] :
         {std::tuple{ColourBy::stage, tr("&Part: forward, backward, recomputed"), tr("P")},
          std::tuple{ColourBy::fate, tr("&Fate: saved, recomputed, neither"), tr("T")},
          std::tuple{ColourBy::family, tr("&Operation family"), tr("O")},
          std::tuple{ColourBy::mutation, tr("&Mutation and aliasing"), tr("M")}}) {
        auto* action = colourGroup->addAction(
            colours->addAction(text, QKeySequence(key), this, [this, by = by] { setColourBy(by); }));
        action->setObjectName(QStringLiteral("colourBy-") + name(by));
        action->setCheckable(true);
        action->setChecked(by == remembered);
    }
    for (GraphPane* pane : {pane_, secondary_->pane()}) pane->view()->setColourBy(remembered);
    navigation_->colours()->addActionsTo(colours, colourGroup);
    if (const auto values = dimensionFromName(settings_.colourBy()); values && *values < Dimension::measured)
        navigation_->colours()->colourBy(values);
    auto* beside = viewMenu_->addAction(tr("Second graph &beside"), QKeySequence(tr("D")), secondary_, &SecondaryGraphController::show);
    beside->setObjectName(QStringLiteral("actionBeside"));
    beside->setCheckable(true);
    sessionActions_.push_back(beside);
    QAction* link =
        makeToggle(this, QStringLiteral("actionLinkCameras"), tr("Move both graphs to&gether"), {tr("Shift+C")},
                   tr("What is looked at in one graph is looked at in the one beside it"), [this](bool linked) {
                       settings_.setLinkedCameras(linked);
                       secondary_->linkCameras(linked);
                   });
    link->setChecked(settings_.linkedCameras());
    viewMenu_->addAction(link);
    for (QAction* action : compare_->actions()) viewMenu_->addAction(action);
    connect(compare_, &CompareController::comparingChanged, beside, &QAction::setChecked);
    QMenu* appearance = viewMenu_->addMenu(tr("A&ppearance"));
    auto* appearanceGroup = new QActionGroup(this);
    for (const auto& [value, text] :
         {std::pair{Settings::Appearance::system, tr("As the system")},
          std::pair{Settings::Appearance::light, tr("Light")}, std::pair{Settings::Appearance::dark, tr("Dark")}}) {
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
    navigation_->addGoActionsTo(menu);
    for (QAction* action : navigation_->sessionActions()) sessionActions_.push_back(action);
    sessionActions_.push_back(menu->addAction(tr("&Next pass that changed something"), QKeySequence(tr("N")), this,
                                              [this] { passes_->step(1); }));
    sessionActions_.push_back(menu->addAction(tr("&Previous pass that changed something"), QKeySequence(tr("B")), this,
                                              [this] { passes_->step(-1); }));
    menu->addAction(tr("Next c&ompilation of the log"), QKeySequence(tr("]")), this,
                    [this] { optionsBar_->stepCompile(1); });
    menu->addAction(tr("Previous compi&lation of the log"), QKeySequence(tr("[")), this,
                    [this] { optionsBar_->stepCompile(-1); });
    menu->addSeparator();
    for (const auto& [kind, key] : {std::pair{GraphKind::joint, "J"}, std::pair{GraphKind::forward, "F"},
                                    std::pair{GraphKind::backward, "K"}, std::pair{GraphKind::source, "S"},
                                    std::pair{GraphKind::functional, "U"}, std::pair{GraphKind::inference, "I"}})
        sessionActions_.push_back(menu->addAction(tr("%1 graph").arg(titleOf(kind)), QKeySequence(QLatin1String(key)),
                                                  this, [this, kind = kind] { pane_->showKind(kind); }));
    menu->addSeparator();
    sourceAction_ =
        menu->addAction(tr("Show sou&rce line"), QKeySequence(tr("Ctrl+L")), inspector_, &InspectorPanel::showSource);
    sourceAction_->setObjectName(QStringLiteral("actionSource"));
    sourceAction_->setEnabled(false);
}

void MainWindow::buildPartitionMenu() { whatIf_->addActionsTo(menuBar()->addMenu(tr("&Partition"))); }

void MainWindow::buildDebugMenu() {
    debug_->addActionsTo(menuBar()->addMenu(tr("&Debug")));
    addToolBar(debug_->toolBar());
}

void MainWindow::decompositionDialog() {
    const QString file = QFileDialog::getOpenFileName(this, tr("Open a table of decompositions"),
                                                      settings_.lastFolder(), tr("Table (*.json);;All files (*)"));
    if (file.isEmpty()) return;
    settings_.setLastFolder(QFileInfo(file).path());
    try {
        optionsBar_->takeDecompositions(file);
    } catch (const std::exception& e) {
        problems_->add(ProblemsPanel::Kind::error, QString::fromUtf8(e.what()));
    }
}

void MainWindow::pluginDialog() {
    const QString file =
        QFileDialog::getOpenFileName(this, tr("Open a plug-in with a compiler"), settings_.lastFolder(),
                                     tr("Shared libraries (*.so *.so.*);;All files (*)"));
    if (file.isEmpty()) return;
    settings_.setLastFolder(QFileInfo(file).path());
    try {
        optionsBar_->takePlugin(file);
    } catch (const std::exception& e) {
        problems_->add(ProblemsPanel::Kind::error, QString::fromUtf8(e.what()));
    }
}

void MainWindow::exportChartDialog(const QString& chart, void (WhatIfController::*write)(const QString& file)) {
    const QString suggestion =
        settings_.lastFolder() + u'/' + QString::fromStdString(session_->record()->model.name) + u'-' + chart;
    QString file = QFileDialog::getSaveFileName(this, tr("Export chart"), suggestion + QStringLiteral(".svg"),
                                                tr("SVG (*.svg);;PNG (*.png)"));
    if (file.isEmpty()) return;
    if (QFileInfo(file).suffix().isEmpty()) file += QStringLiteral(".svg");
    settings_.setLastFolder(QFileInfo(file).path());
    (whatIf_->*write)(file);
}

void MainWindow::exportTrainingDialog() {
    const QString suggestion = settings_.lastFolder() + u'/' + QString::fromStdString(session_->record()->model.name) +
                               QStringLiteral("-training.svg");
    const QString file = QFileDialog::getSaveFileName(this, tr("Export training"), suggestion,
                                                      tr("SVG (*.svg);;PNG (*.png);;Table (*.csv);;JSON (*.json)"));
    if (file.isEmpty()) return;
    settings_.setLastFolder(QFileInfo(file).path());
    training_->exportTo(file);
}

void MainWindow::batchesDialog() {
    const QString file = QFileDialog::getOpenFileName(this, tr("Open batches"), settings_.lastFolder(),
                                                      tr("Tensors (*.pt *.npy *.safetensors);;All files (*)"));
    if (file.isEmpty()) return;
    settings_.setLastFolder(QFileInfo(file).path());
    training_->panel()->setData(file);
}

void MainWindow::buildHelpMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&Help"));
    navigation_->addHelpActionsTo(menu);
    menu->addAction(tr("&Start page"), this, [this] {
        start_->refresh(settings_.recentModels());
        centre_->setCurrentWidget(start_);
    });
    auto* security = menu->addAction(tr("&What Files May Do"), this, [this] { (new SecurityPage(this))->open(); });
    security->setObjectName(QStringLiteral("actionSecurity"));
    security->setStatusTip(tr("What opening and running each kind of file may do, and what stops it from doing more"));
    menu->addAction(tr("&About"), this, [this] {
        QMessageBox::about(this, tr("About aotscope"),
                           tr("aotscope %1\n\nPyTorch's AOTAutograd pipeline in C++, every step of it to look "
                              "at.\n\nLibTorch %2, Qt %3\n%4")
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
    recentMenu_->addAction(tr("Clear list"), this, [this] {
        settings_.clearRecentModels();
        fillRecentMenu();
    });
}

void MainWindow::openDialog() {
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open model or session"), settings_.lastFolder(),
        tr("Models, sessions and graphs (*.pt2 *.pt *.pth *.aotscope *.log *.txt);;All files (*)"));
    if (path.isEmpty()) return;
    settings_.setLastFolder(QFileInfo(path).path());
    openInstead(path);
}

void MainWindow::exportDialog() {
    const QString suggestion = settings_.lastFolder() + u'/' + QString::fromStdString(session_->record()->model.name) +
                               u'-' + titleOf(pane_->kind()).toLower().replace(u' ', u'-') + QStringLiteral(".svg");
    const QString file = QFileDialog::getSaveFileName(
        this, tr("Export graph"), suggestion,
        tr("SVG (*.svg);;Web page (*.html);;PNG (*.png);;PDF (*.pdf);;Graphviz (*.dot);;Text (*.txt);;JSON "
           "(*.json);;TorchScript (*.pt);;TorchScript text (*.jit)"));
    if (file.isEmpty()) return;
    settings_.setLastFolder(QFileInfo(file).path());
    exportTo(file);
}

void MainWindow::reportDialog() {
    const QString suggestion = settings_.lastFolder() + u'/' + QString::fromStdString(session_->record()->model.name) +
                               QStringLiteral(".json");
    const QString file = QFileDialog::getSaveFileName(this, tr("Save report"), suggestion, tr("Report (*.json)"));
    if (file.isEmpty()) return;
    try {
        const auto report = makeReport(session_->options(), *session_->record(), checked_ ? &*checked_ : nullptr,
                                       timing_ ? &*timing_ : nullptr, bisected_ ? &*bisected_ : nullptr);
        writeFileAtomically(file.toStdString(), jsonText(report));
        statusBar()->showMessage(tr("Written to %1").arg(file), 8000);
    } catch (const std::exception& e) {
        problems_->add(ProblemsPanel::Kind::error, QString::fromUtf8(e.what()));
    }
}

void MainWindow::copyGraphText() {
    if (pane_->graph()) QApplication::clipboard()->setText(QString::fromStdString(printGraph(*pane_->graph())));
}

}  // namespace aotscope
