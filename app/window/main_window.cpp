#include "window/main_window.h"

#include "canvas/html_page.h"
#include "canvas/picture.h"
#include "crash/crash_handler.h"
#include "device/device.h"
#include "export/export_graph.h"
#include "io/report.h"
#include "io/session/session_file.h"
#include "io/text_report.h"
#include "models/decomposition_tables.h"
#include "ops/op_table.h"
#include "panels/input_spec_dialog.h"
#include "panels/libraries_dialog.h"
#include "panels/limits_dialog.h"
#include "panels/metadata_html.h"
#include "record/node_map.h"
#include "support/file.h"
#include "window/plain_texts.h"
#include "window/window_theme.h"

#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QStatusBar>
#include <QUrl>
#include <algorithm>
#include <nlohmann/json.hpp>

namespace aotscope {

namespace {

constexpr int kMeasuredRuns = 10;

QString summaryLine(const CompileRecord& record, GraphKind shown, const TimingResult* timing) {
    const auto ops = [&](GraphKind kind) {
        return record.graph(kind) ? QString::number(record.graph(kind)->callCount()) : QStringLiteral("-");
    };
    QStringList parts{toQString(graphTitle(record, shown))};
    if (record.partition) {
        parts << QObject::tr("joint %1 ops").arg(ops(GraphKind::joint))
              << QObject::tr("saved %1 values, %2")
                     .arg(record.partition->saved.size())
                     .arg(toQString(formatBytes(record.partition->savedUniqueBytes())))
              << QObject::tr("recomputed %1").arg(record.partition->recomputed.size());
    } else if (record.graph(GraphKind::inference)) {
        parts << QObject::tr("inference %1 ops").arg(ops(GraphKind::inference));
    }
    if (record.times.total > 0) parts << QObject::tr("pipeline %1 ms").arg(toQString(formatMs(record.times.total)));
    if (timing) {
        parts << QObject::tr("forward %1 ms").arg(toQString(formatMs(timing->compiledForwardMs.median)));
        if (timing->backward)
            parts << QObject::tr("backward %1 ms").arg(toQString(formatMs(timing->compiledBackwardMs.median)));
    }
    return parts.join(QStringLiteral("    "));
}

}  // namespace

MainWindow::MainWindow(QWidget* parent) : QMainWindow(parent) {
    setObjectName(QStringLiteral("mainWindow"));
    setWindowTitle(QStringLiteral("aotscope[*]"));
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    resize(1480, 940);
    PlainTexts::install();
    buildCentre();
    buildDocks();
    buildMenus();
    buildStatusBar();
    connectSignals();
    setAppearance(settings_.appearance());
    options_.keepInputMutations = settings_.keepInputMutations();
    options_.compilers = settings_.compilers();
    own_ = options_;
    optionsBar_->show(options_);
    restoreGeometry(settings_.windowGeometry());
    restoreState(settings_.windowState());
    start_->refresh(settings_.recentModels());
    try {
        prepareDevice("cuda:0");  // it may be chosen later, and then it would be too late
    } catch (const std::exception& e) {
        problems_->add(ProblemsPanel::Kind::information, toQString(e.what()));
    }
}

MainWindow::~MainWindow() {
    job_.disconnect(this);
    laboratory_->disconnect(this);
    debug_->disconnect(this);
}

bool MainWindow::busy() const {
    return job_.running() || pane_->layoutRunning() || beside_->busy() || compare_->busy() || laboratory_->busy() ||
           exploration_->busy() || sessionFile_->busy() || debug_->busy() || consent_->busy();
}

void MainWindow::setAppearance(Settings::Appearance appearance) {
    settings_.setAppearance(appearance);
    const Theme theme = applyAppearance(appearance);
    for (GraphPane* pane : {pane_, beside_->pane()}) pane->view()->setTheme(theme);
    laboratory_->setTheme(theme);
    times_->setTheme(theme);
    training_->setTheme(theme);
    exploration_->setTheme(theme);
    debug_->setTheme(theme);
}

void MainWindow::setColourBy(ColourBy by) {
    settings_.setColourBy(name(by));
    exploration_->colours()->colourBy(std::nullopt);
    for (GraphPane* pane : {pane_, beside_->pane()}) pane->view()->setColourBy(by);
}

void MainWindow::setOptions(const Options& options) {
    options_ = options;
    options_.keepInputMutations = options.keepInputMutations || settings_.keepInputMutations();
    own_ = options_;
    compare_->setAllowed(own_.allow);
    optionsBar_->show(options_);
}

void MainWindow::openModel(const QString& model, const InputSource& inputs, const std::filesystem::path& inputFolder) {
    if (options_.model != model.toStdString()) {
        consent_->cancel();
        options_.compileId.clear();
        options_.splitAgain = false;
        if (!options_.model.empty()) returnToOwnOptions();
    }
    options_.model = model.toStdString();
    reload_ = isSessionFile(options_.model);
    options_.inputs = inputs;
    options_.inputFolder = inputFolder;
    if (const QByteArray remembered = settings_.inputSpec(model);
        std::holds_alternative<std::monostate>(inputs) && !remembered.isEmpty()) {
        try {
            options_.inputs = parseInputSpec(remembered.toStdString(), "remembered input spec");
        } catch (const Error&) {
            settings_.setInputSpec(model, {});
        }
    }
    run();
}

void MainWindow::run() {
    if (options_.model.empty()) return openDialog();
    optionsBar_->writeTo(options_);
    Options options = options_;
    for (const QString& library : settings_.libraries())
        if (const std::filesystem::path path = library.toStdString(); std::ranges::count(options.libraries, path) == 0)
            options.libraries.push_back(path);
    options.allow = std::exchange(allowed_, std::nullopt).value_or(own_.allow);
    tried_ = {options.model, options.allow};
    if (options.limits == Limits{}) options.limits = settings_.limits();
    const QString title = tr("Compiling %1").arg(toQString(options_.model));
    const bool reads = std::exchange(reload_, false) || !session_ || session_->options().model != options_.model;
    // Before it is read: whatever others write from now on is a change.
    const auto state = reads ? std::optional(stateOf(toQString(options_.model))) : std::nullopt;
    status_.begin(title, toQString(options_.model), 0);
    job_.start<std::shared_ptr<const Session>>(
        title,
        [options, previous = reads ? nullptr : session_,
         pause = exploration_->breakpoints()->arm(toQString(options_.model))](const Progress& progress) {
            return Session::open(options, progress, previous, pause.get());
        },
        [this, state](std::shared_ptr<const Session> session) { onSession(std::move(session), state); });
}

void MainWindow::check() {
    if (!session_) return;
    status_.begin(tr("Checking against eager"), toQString(session_->record()->model.name), 1);
    job_.start<CheckResult>(
        tr("Checking against eager"),
        [session = session_](const Progress& progress) { return session->check(progress); },
        [this](const CheckResult& result) { onCheck(result); });
}

void MainWindow::findDifference() {
    if (!session_) return;
    status_.begin(tr("Finding the first difference from eager"), toQString(session_->record()->model.name), 1);
    job_.start<BisectResult>(
        tr("Finding the first difference from eager"),
        [session = session_](const Progress& progress) { return session->bisect(progress); },
        [this](const BisectResult& result) { onBisect(result); });
}

void MainWindow::time() {
    if (!session_) return;
    status_.begin(tr("Timing"), toQString(session_->record()->model.name), 1);
    job_.start<TimingResult>(
        tr("Timing"),
        [session = session_](const Progress& progress) { return session->time({kMeasuredRuns}, progress); },
        [this](TimingResult result) { onTiming(std::move(result)); });
}

void MainWindow::cancel() {
    job_.cancel();
    laboratory_->cancel();
    debug_->cancel();
    returnToSession();
    pane_->cancelLayout();
}

void MainWindow::onSession(std::shared_ptr<const Session> session, const std::optional<FileState>& read) {
    // Places in the graphs of another model are none in these.
    if (!session_ || session_->options().model != session->options().model) canvas_->setBookmarks({});
    session_ = std::move(session);
    partial_.reset();
    showFinishedRun(true);
    timing_.reset();
    checked_.reset();
    bisected_.reset();
    takeovers_.clear();
    const auto record = session_->record();
    if (!RecoveryFile::contains(toQString(options_.model))) settings_.addRecentModel(toQString(options_.model));
    noteForCrashes(CrashNote::model, session_->record()->model.name);
    fillRecentMenu();
    for (QAction* action : sessionActions_) action->setEnabled(true);
    sessionFile_->setSession(session_, toQString(options_.model), read);
    adaptToSession();
    if (const SessionContent* saved = session_->saved()) restoreResults(*saved);
    centre_->setCurrentWidget(graphs_);
    // A session file is written by Save; it is not compiled.
    watcher_.watch(isSessionFile(session_->options().model) ? QString() : toQString(session_->options().model));
    showRecord();
    compare_->setSession(session_);
    laboratory_->setSession(session_);
    times_->show(record, timing_);
    debug_->setSession(session_);
    training_->setSession(session_);
    restoreView();
    for (const auto& warning : record->warnings) problems_->add(ProblemsPanel::Kind::warning, toQString(warning));
    for (const auto& [op, count] : record->fallbacks)
        problems_->add(ProblemsPanel::Kind::information,
                       tr("%1 has no shape rule: its real kernel ran on zeros during tracing (calls: %2)")
                           .arg(toQString(op))
                           .arg(count));
    showCompilers();
    if (!record->error.empty())
        problems_->add(ProblemsPanel::Kind::error, toQString(record->model.name + ": " + record->error));
    sessionCode_->offer(*session_);
}

void MainWindow::showRecord() {
    const auto record = shownRecord();
    exploration_->setRecord(record);
    if (const TimingResult* timing = shownTiming()) exploration_->setTiming(*timing);
    exploration_->colours()->setCompilers(shownCompilers());
    passes_->setRecord(record);
    pane_->setRecord(record);
    beside_->setRecord(record);
    refreshTables();
    showSummary();
}

/// The shown model's file was written anew.
void MainWindow::onModelChanged(const QString& path) {
    const QString name = QFileInfo(path).fileName();
    if (!settings_.reload() || job_.running())
        return problems_->add(ProblemsPanel::Kind::information,
                              tr("'%1' has changed; press F5 to compile it again").arg(name));
    run();
    problems_->add(ProblemsPanel::Kind::information, tr("'%1' has changed: compiling it again").arg(name));
}

std::vector<CompilerUse> MainWindow::shownCompilers() const {
    const auto record = shownRecord();
    if (!record) return {};
    const CheckResult* check = checked_ && !partial_ ? &*checked_ : nullptr;
    return compilersIn(*record, check, shownTiming());
}

/// Says once of every graph why the interpreter runs it, and shows which nodes its kernels compute together.
void MainWindow::showCompilers() {
    const std::vector<CompilerUse> compilers = shownCompilers();
    for (const CompilerUse& use : compilers)
        if (!use.note.empty() && takeovers_.insert(use.note).second)
            problems_->add(ProblemsPanel::Kind::warning, toQString(use.note));
    exploration_->colours()->setCompilers(compilers);
    onSelectionChanged();
}

void MainWindow::onCheck(const CheckResult& result) {
    checked_ = result;
    showCompilers();
    sessionFile_->touch();
    refreshTables();
    const QString text = toQString(checkText(result)).trimmed();
    problems_->add(result.ok ? ProblemsPanel::Kind::information : ProblemsPanel::Kind::error, text);
    statusBar()->showMessage(text.section(u'\n', 0, 0), 8000);
}

/// Says what was found, and shows the pass and the node.
void MainWindow::onBisect(const BisectResult& result) {
    bisected_ = result;
    sessionFile_->touch();
    const QString text = toQString(bisectText(result)).trimmed();
    problems_->add(result.found ? ProblemsPanel::Kind::error : ProblemsPanel::Kind::information, text);
    statusBar()->showMessage(text.section(u'\n', 0, 0), 8000);
    const auto& passes = session_->record()->passes;
    const auto pass = std::ranges::find(passes, result.pass, &PassRecord::name);
    if (!result.found || pass == passes.end()) return;
    passes_->setCurrentPass(static_cast<int>(pass - passes.begin()));
    for (const auto& [kind, graph] : pass->graphs) {
        if (name(kind) != result.graph || result.node == kNoNode) continue;
        pane_->showGraph(kind, graph);
        selection_.select(result.node);
    }
}

void MainWindow::onTiming(TimingResult result) {
    timing_ = std::move(result);
    showCompilers();
    sessionFile_->touch();
    laboratory_->learn(*timing_);
    exploration_->setTiming(*timing_);
    times_->show(session_->record(), timing_);
    refreshTables();
    showSummary();
    onSelectionChanged();
    tables_->setCurrentWidget(timingTable_);
}

/// Every failure of a background job ends here, as a sentence; what was shown before stays.
void MainWindow::onFailure(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const Cancelled&) {
    } catch (const InputsNeeded& e) {
        askForInputs(e.suggestion, e.names, toQString(e.what()).section(u';', 0, 0));
    } catch (const std::bad_alloc&) {
        problems_->add(ProblemsPanel::Kind::error, tr("Out of memory. Choose smaller inputs or a smaller model."));
        returnToSession();
    } catch (const std::exception& e) {
        problems_->add(ProblemsPanel::Kind::error, toQString(firstSentence(e.what())));
        returnToSession();
    }
}

/// Another model was to be opened and was not: the options belong to the shown one again.
void MainWindow::returnToSession() {
    if (!session_) return;
    const Options& shown = session_->options();
    if (options_.model == shown.model && options_.compileId == shown.compileId) return;
    options_.model = shown.model;
    options_.inputs = shown.inputs;
    options_.inputFolder = shown.inputFolder;
    options_.splitAgain = shown.splitAgain;
    options_.modelName = shown.modelName;
    options_.weights = shown.weights;
    options_.libraries = shown.libraries;
    options_.compilers = shown.compilers;
    adaptToSession();
}

/// Offers what can be done with the open session; what cannot says why.
void MainWindow::adaptToSession() {
    options_.compileId = session_->options().compileId;
    if (session_->saved()) options_ = session_->options();
    QStringList ids;
    for (const auto& id : session_->compileIds()) ids << toQString(id);
    optionsBar_->adaptTo(options_, ids, toQString(session_->whyNotCompiled()));
    const auto allow = [this](const char* name, const QString& why) {
        auto* action = findChild<QAction*>(QLatin1String(name));
        action->setEnabled(why.isEmpty());
        action->setToolTip(why);  // empty: the action's own text
    };
    for (const char* name : {"actionCheck", "actionBisect", "actionTime", "actionTrain"})
        allow(name, toQString(session_->whyNotExecutable()));
    allow("actionInputs", toQString(session_->whyNotCompiled()));
}

/// The function is compiled again with another partition of the same joint graph.
void MainWindow::compileWith(const PartitionOptions& partition) {
    options_.partition = partition;
    optionsBar_->show(options_);
    run();
}

void MainWindow::openInstead(const QString& model) {
    closeGuard_->ask(tr("before opening another model"), [this, model] { openModel(model); });
}

void MainWindow::openCompile(const QString& id) {
    options_.compileId = id.toStdString();
    run();
}

void MainWindow::askForInputs(const InputSpec& suggestion, const std::vector<std::string>& names,
                              const QString& reason) {
    QStringList inputNames;
    for (const auto& name : names) inputNames << toQString(name);
    const QString folder =
        options_.inputFolder.empty() ? QDir::currentPath() : QString::fromStdString(options_.inputFolder.string());
    auto* dialog = new InputSpecDialog(suggestion, inputNames, this, folder);
    dialog->setObjectName(QStringLiteral("inputSpecDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    if (!reason.isEmpty()) dialog->setReason(reason);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        options_.inputs = dialog->spec();
        settings_.setInputSpec(toQString(options_.model), QByteArray::fromStdString(printInputSpec(dialog->spec())));
        run();
    });
    connect(dialog, &QDialog::rejected, this, &MainWindow::returnToSession);
    dialog->open();
}

void MainWindow::editInputs() {
    if (session_) askForInputs(session_->inputSpec(), session_->inputNames(), {});
}

void MainWindow::editLibraries() {
    auto* dialog = new LibrariesDialog(settings_.libraries(), this);
    dialog->setObjectName(QStringLiteral("librariesDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] { settings_.setLibraries(dialog->libraries()); });
    dialog->open();
}

void MainWindow::editLimits() {
    auto* dialog = new LimitsDialog(options_.limits == Limits{} ? settings_.limits() : options_.limits, this);
    dialog->setObjectName(QStringLiteral("limitsDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        settings_.setLimits(dialog->limits());
        options_.limits = dialog->limits();
    });
    dialog->open();
}

void MainWindow::onSelectionChanged() {
    const Node* node = selection_.object();
    const auto record = shownRecord();
    std::vector<const Node*> kernel;
    if (node)
        for (const NodeId id : groupOf(shownCompilers(), selection_.kind(), node->id()))
            if (const Node* other = selection_.graph()->findById(id)) kernel.push_back(other);
    if (node)
        inspector_->showNode(*node, selection_.kind(), record ? record->partition.get() : nullptr, shownTiming(),
                             record ? record->graph(GraphKind::joint).get() : nullptr,
                             record ? metadataHtml(*node, *selection_.graph(), selection_.kind(), *record) : QString(),
                             kernel);
    else if (selection_.graph()) inspector_->showGraph(*selection_.graph(), selection_.kind());
    pane_->select(selection_.node(), selection_.others());
    beside_->follow();
    laboratory_->showSelection();
    times_->follow(selection_.node(), selection_.kind());
    // Elements of a tuple are drawn with the operation that makes it: their rows are its rows.
    std::vector<NodeId> nodes;
    if (node) nodes.push_back(node->id());
    if (node)
        for (const Node* user : node->users())
            if (isGetitem(*user)) nodes.push_back(user->id());
    for (TablePanel* panel : {inputs_, outputs_, saved_, recomputed_, runtime_, timingTable_, decompositions_->right()})
        panel->select(nodes);
}

/// A table row stands for a node of `kind`: shown where it is now if it exists there, else in its own graph.
void MainWindow::selectIn(NodeId node, GraphKind kind) { selectAllIn({node}, kind); }

void MainWindow::selectAllIn(const std::vector<NodeId>& nodes, GraphKind kind) {
    const auto record = shownRecord();
    if (!selection_.graph() || !record || nodes.empty()) return;
    const auto own = record->graph(kind);
    if (!own) return;
    std::vector<NodeId> here;
    for (const NodeId node : nodes)
        if (const NodeId there = correspondingNode(*own, kind, node, *selection_.graph(), selection_.kind());
            there != kNoNode)
            here.push_back(there);
    if (here.empty()) pane_->showKind(kind);
    selection_.selectAll(here.empty() ? nodes : here);
}

void MainWindow::showPass(int row) {
    const PassRecord& pass = shownRecord()->passes[static_cast<std::size_t>(row)];
    for (const auto& [kind, graph] : pass.graphs)
        if (kind == pane_->kind()) return pane_->showGraph(kind, graph);
    if (!pass.graphs.empty()) pane_->showGraph(pass.graphs.front().first, pass.graphs.front().second);
}

void MainWindow::refreshTables() {
    static const CompileRecord nothing;
    const auto shown = shownRecord();
    const CompileRecord& record = shown ? *shown : nothing;
    const Options& options = partial_ || !session_ ? options_ : session_->options();
    inputs_->setContent(inputsTable(record));
    outputs_->setContent(outputsTable(record));
    saved_->setContent(savedTable(record));
    recomputed_->setContent(recomputedTable(record));
    runtime_->setContent(runtimeTable(record));
    guards_->setContent(guardsTable(record, checked_ && !partial_ ? &*checked_ : nullptr));
    decompositions_->left()->setContent(decompositionRules(options.decompositions.get(), record));
    decompositions_->right()->setContent(rewriteTable(record));
    timingTable_->setContent(timingTable(shownTiming(), record));
}

/// Which graph of which compilation is shown, in the title and in the status bar.
void MainWindow::showSummary() {
    const auto record = shownRecord();
    if (!record) {
        setWindowTitle(QStringLiteral("aotscope[*]"));
        return summary_->clear();
    }
    setWindowTitle(tr("%1[*] - %2 graph, %3 - aotscope")
                       .arg(toQString(record->model.name), titleOf(pane_->kind()).toLower(),
                            partial_ ? tr("stopped") : tr("compilation %1").arg(record->compilation)));
    summary_->setText(summaryLine(*record, pane_->kind(), shownTiming()));
}

/// A session from a file compiles its model first.
void MainWindow::exportTorchScript(const QString& file, const std::string& format) {
    job_.start<std::string>(
        tr("Exporting"),
        [session = session_, graph = pane_->graph(), kind = pane_->kind(), format, path = file.toStdString()](
            const Progress&) { return exportGraph(*graph, kind, *session->record(), session.get(), format, path); },
        [this, file](const std::string&) { statusBar()->showMessage(tr("Saved %1").arg(file), 8000); });
}

void MainWindow::exportTo(const QString& file) {
    const QString format = QFileInfo(file).suffix().toLower();
    if (session_ && !partial_ && (format == QLatin1String("pt") || format == QLatin1String("jit")))
        return exportTorchScript(file, format.toStdString());
    try {
        const auto record = shownRecord();
        if (!record) throw Error("there is no graph to export; open a model first");
        const QString title = toQString(record->model.name) + QStringLiteral(": ") + toQString(name(pane_->kind())) +
                              QStringLiteral(" graph");
        const bool page = format == QLatin1String("html");
        const bool picture =
            page || format == QLatin1String("svg") || format == QLatin1String("png") || format == QLatin1String("pdf");
        if (!picture) {
            exportGraph(*pane_->graph(), pane_->kind(), *record, nullptr, format.toStdString(), file.toStdString());
        } else {
            const GraphView& view = *exploration_->shownView();
            if (pane_->layoutRunning() || exploration_->difference()->busy() || !view.graph())
                throw Error("the layout is not finished yet; wait and export again");
            const auto difference =
                exploration_->difference()->shown() ? exploration_->difference()->difference() : nullptr;
            const auto pageOf = [&](const auto& facts) {
                return writeHtmlPage(*view.graph(), *view.layout(), facts, view.paintOptions(), title);
            };
            const QByteArray bytes =
                !page        ? renderPicture(*view.graph(), *view.layout(), format, view.paintOptions(), title)
                : difference ? pageOf(*difference)
                             : pageOf(*pane_->graph());
            writeFileAtomically(file.toStdString(), {bytes.constData(), static_cast<std::size_t>(bytes.size())});
        }
        statusBar()->showMessage(tr("Saved %1").arg(file), 8000);
    } catch (const std::exception& e) {
        problems_->add(ProblemsPanel::Kind::error, toQString(e.what()));
    }
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!closeGuard_->mayClose()) return event->ignore();
    settings_.setWindow(saveGeometry(), saveState());
    job_.cancel();
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->urls().value(0).isLocalFile()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QString path = event->mimeData()->urls().value(0).toLocalFile();
    // Beside an open model, a JSON file is values for its nodes.
    if (session_ && path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive))
        exploration_->colours()->openOverlay(path);
    else if (!path.isEmpty()) openInstead(path);
}

}  // namespace aotscope
