#include "window/run_presenter.h"

#include "crash/crash_handler.h"
#include "io/text_report.h"
#include "models/communication_views.h"
#include "models/summary_line.h"
#include "panels/inspector/metadata_html.h"
#include "record/check_reference.h"
#include "record/history/python_differences.h"
#include "record/model_kind.h"
#include "record/options/remote_model.h"

#include <algorithm>
#include <utility>

namespace aotscope {

namespace {

/// A check of a model without a file that took less is no reason to ask before closing.
constexpr double kWorthKeepingMs = 2000;

/// The joint graph and its halves: the partition is about their nodes.
bool isSplit(GraphKind kind) {
    return kind == GraphKind::joint || kind == GraphKind::forward || kind == GraphKind::backward;
}

/// The result of a check, a bisection, or both. Details are on the Check page.
Verdict verdictOn(const CheckResult* check, const BisectResult* bisect, const CheckStory& story, const QTime& asked) {
    if (!check && !bisect) return {};
    const bool differs = (check && !check->ok) || (bisect && bisect->found);
    const bool compared = !check || check->verdict() != CheckVerdict::notCompared;
    const QString text = (differs     ? QObject::tr("Differs from %1")
                          : !compared ? QObject::tr("Not compared with %1")
                                      : QObject::tr("Equal to %1"))
                             .arg(story.reference);
    const bool timed = check && check->tookMs > 0;
    QStringList details{story.sentence, story.details, story.difference,
                        asked.isValid() ? QObject::tr("Checked at %1.").arg(asked.toString(QStringLiteral("HH:mm:ss")))
                                        : QObject::tr("Saved with the session."),
                        QObject::tr("Click for every compared value.")};
    details.removeAll(QString());
    return {timed ? QObject::tr("%1, %2").arg(text, toQString(formatDuration(check->tookMs))) : text,
            details.join(u'\n'), !differs && compared};
}

}  // namespace

RunPresenter::RunPresenter(Workbench& bench, const Controllers& controllers, SessionHandover* handover)
    : QObject(bench.window), bench_(bench), all_(controllers), handover_(handover) {
    connect(all_.runs, &RunController::opened, this, &RunPresenter::showSession);
    connect(all_.runs, &RunController::checked, this, &RunPresenter::takeCheck);
    connect(all_.runs, &RunController::bisected, this, &RunPresenter::takeBisection);
    connect(all_.runs, &RunController::timed, this, &RunPresenter::takeTiming);
    connect(bench_.toolBar, &MainToolBar::checkDetailsAsked, this, [this] { bench_.pages->show(all_.check); });
    connect(all_.calibration, &CalibrationController::measured, this, [this] {
        all_.whatIf->estimateAgain();
        renewCosts();
    });
    connect(all_.list, &RunsController::chosen, all_.runs,
            [this](int number) { all_.runs->showRun(bench_.run.runs.find(number)); });
    connect(all_.list, &RunsController::listed, bench_.toolBar, &MainToolBar::setRuns);
    connect(bench_.toolBar, &MainToolBar::runChosen, all_.list, &RunsController::showAt);
    connect(all_.list, &RunsController::measured, this, &RunPresenter::takeTimingOf);
    connect(all_.list, &RunsController::changed, handover_->file(), &SessionController::touch);
    connect(all_.runs->job(), &BackgroundJob::failed, all_.list, &RunsController::giveUp);
    connect(all_.training, &TrainController::trained, this, &RunPresenter::takeTraining);
    connect(all_.check, &CheckPanel::placeAsked, this, &RunPresenter::showFirstDifference);
    connectBreakpoints();
    showVerdict();
}

// --- a session ---

void RunPresenter::showSession(std::shared_ptr<const Session> session, const std::optional<FileState>& read) {
    const Run* before = bench_.run.runs.shown();
    // The scratch pad is one program, and keeps the focus.
    const bool another = !before || !isSameModel(before->options.model, session->options().model);
    const int left = another ? 0 : before->number;
    // Bookmarks of another model do not apply.
    if (another) {
        all_.canvas->setBookmarks({});
        bench_.selection.clear();
        bench_.toolBar->badge()->forget();
    }
    all_.list->leave();
    if (another && before) handover_->leave();
    bench_.run.open(session, read && session->saved());
    all_.whatIf->setUndoStack(bench_.run.runs.undoStack());
    bench_.pane()->setUndoStack(bench_.run.runs.undoStack());
    noted_.clear();
    setRunFinished(true);
    handover_->take(toQString(all_.runs->options().model), read);
    noteForCrashes(CrashNote::model, bench_.run.record()->model.name);
    Q_EMIT sessionShown();
    all_.runs->takeSession();
    bench_.centre->showGraphs();
    if (another && !isScript(bench_.run.session()->options().model))
        bench_.pane()->view()->setFocus(Qt::OtherFocusReason);
    showRecord();
    if (another) bench_.pane()->showKind(firstGraphOf(*bench_.run.record(), GraphKind::joint));
    showInControllers();
    handover_->restoreView();
    bench_.run.runs.shown()->timesShown == 1 ? reportNotes() : showCompilers();
    all_.runs->offerCode();
    all_.list->follow(left);
}

void RunPresenter::showInControllers() {
    const auto& session = bench_.run.session();
    all_.whatIf->resume(*bench_.run.runs.shown());
    all_.navigation->colours()->setDevice(session->options().device);
    for (Controller* each : all_.all()) each->setSession(session);
    if (const auto& trained = bench_.run.results().trained) all_.training->show(*trained);
    bench_.pages->setPresent(all_.trace->panel(), all_.trace->shows());
}

void RunPresenter::reportNotes() {
    const CompileRecord& record = *bench_.run.record();
    all_.log->addCompilation(record);
    if (record.crossCheck)
        bench_.report(
            record.crossCheck->mismatches.empty() ? ProblemsPanel::Kind::information : ProblemsPanel::Kind::error,
            toQString(crossCheckText(*record.crossCheck)).trimmed());
    for (const auto& warning : warningsOf(record)) bench_.report(ProblemsPanel::Kind::warning, toQString(warning));
    for (const auto& note : record.notes) bench_.report(ProblemsPanel::Kind::information, toQString(note));
    for (const auto& difference : pythonDifferences(record))
        bench_.report(ProblemsPanel::Kind::information, toQString(difference));
    for (const auto& [op, count] : record.fallbacks)
        bench_.report(ProblemsPanel::Kind::warning,
                      tr("%1 has no shape rule: its real kernel ran on zeros during tracing (calls: %2)")
                          .arg(toQString(op), QString::number(count)));
    showCompilers();
    if (!record.error.empty())
        bench_.report(ProblemsPanel::Kind::error, toQString(record.model.name + ": " + record.error));
}

void RunPresenter::showRecord() {
    const auto record = bench_.run.record();
    all_.navigation->setRecord(record);
    if (const TimingResult* timing = bench_.run.timing()) all_.navigation->setTiming(*timing);
    all_.navigation->colours()->setCompilers(bench_.run.compilers());
    bench_.passes->setRecord(record);
    bench_.pane()->setRecord(record);
    showTimes();
    all_.secondary->setRecord(record);
    fillPages();
    showSummary();
    showVerdict();
}

void RunPresenter::fillPages() {
    const ShownRun& run = bench_.run;
    const Options& options = run.partial || !run.session() ? all_.runs->options() : run.session()->options();
    bench_.pages->fill(run, options.decompositions);
}

/// Reports once for every graph why the interpreter runs it, and shows which nodes its kernels compute together.
void RunPresenter::showCompilers() {
    const std::vector<CompilerUse> compilers = bench_.run.compilers();
    for (const CompilerUse& use : compilers)
        if (!use.note.empty() && noted_.insert(use.note).second)
            bench_.report(ProblemsPanel::Kind::warning, toQString(use.note));
    all_.navigation->colours()->setCompilers(compilers);
    Q_EMIT factsChanged();
}

/// The previous verdict stays until a run of the model is checked.
void RunPresenter::showVerdict() {
    const ShownRun& run = bench_.run;
    const auto record = run.record() ? run.record() : std::make_shared<const CompileRecord>();
    const std::string model = record->model.path + record->model.name;
    const bool another = std::exchange(verdictOf_, model) != model;
    const CheckStory& shown = all_.check->story();
    if (another || run.check() || run.bisection() || shown.verdict == CheckStory::Verdict::none)
        all_.check->setStory(checkStory(*record, run.check(), run.bisection()));
    else if (!shown.ofEarlierRun) all_.check->setStory(ofEarlierRun(shown));
    all_.python->setCheck(run.check(), run.bisection());
    if (run.check()) all_.compare->setRecompilations(run.check()->recompilations);
    bench_.toolBar->badge()->show(verdictOn(run.check(), run.bisection(), all_.check->story(), run.results().judged));
}

void RunPresenter::showTimes() {
    const TimingResult* timing = bench_.run.timing();
    all_.times->show(bench_.run.record(), timing ? std::optional(*timing) : std::nullopt,
                     bench_.run.session() ? bench_.run.session()->options().device : std::string());
}

/// Shows graph and compilation in the title and in the status bar.
void RunPresenter::showSummary() {
    const auto record = bench_.run.record();
    if (!record) {
        bench_.window->setWindowTitle(QStringLiteral("aotscope[*]"));
        return bench_.status->setSummary({});
    }
    const GraphKind kind = bench_.pane()->kind();
    const std::string& model = all_.runs->options().model;
    const QString where = isRemote(model) ? tr(" on %1").arg(toQString(remoteModel(model).place)) : QString();
    const QString which = bench_.run.partial        ? tr(", stopped")
                          : record->compilation > 0 ? tr(", compilation %1").arg(record->compilation)
                                                    : QString();
    bench_.window->setWindowTitle(
        tr("%1[*] - %2 graph%3 - aotscope").arg(toQString(record->model.name) + where, titleOf(kind).toLower(), which));
    bench_.status->setSummary(summaryLine(*bench_.run.partitioned(), kind, operationsOf(compiledGraph(*record).second),
                                          bench_.run.showsWhatIf(), bench_.run.timing()));
}

/// Slow for large graphs, which do not change.
std::size_t RunPresenter::operationsOf(const std::shared_ptr<const Graph>& graph) {
    if (!graph) return 0;
    if (counted_.graph.lock() != graph) counted_ = {graph, graph->callCount()};
    return counted_.operations;
}

/// Simulated when the first node of a partition is inspected.
const Communication& RunPresenter::communication(const std::shared_ptr<const CompileRecord>& record) {
    if (communicated_.record.lock() != record) {
        const Options options = bench_.run.session() ? bench_.run.session()->options() : Options();
        communicated_ = {record, communicationOf(*record, options.world, linksNamed(options.links),
                                                 machineOf(bench_.engine, options.device))};
    }
    return communicated_.found;
}

/// The operations of a module; -1: the selected nodes that are in the shown graph itself.
void RunPresenter::inspectSeveral(int module) {
    const Selection& selection = bench_.selection;
    const auto record = bench_.run.partitioned();
    const auto tree = all_.modules->tree();
    const bool split = isSplit(selection.kind());
    InspectedSelection shown{.kind = selection.kind(),
                             .partition = split && record ? record->partition.get() : nullptr,
                             .timing = bench_.run.timing(),
                             .tree = tree.get(),
                             .module = module,
                             .whatIf = bench_.run.showsWhatIf()};
    std::vector<NodeId> nodes{selection.node()};
    nodes.insert(nodes.end(), selection.others().begin(), selection.others().end());
    if (module >= 0) nodes = tree->operationsIn(module);
    for (const NodeId id : nodes)
        if (const Node* node = selection.graph()->findById(id)) shown.nodes.push_back(node);
    if (split && all_.whatIf->takes(nodes)) shown.overrides = all_.whatIf->overrides();
    bench_.inspector->showSelection(shown);
}

void RunPresenter::showInspector() {
    const Selection& selection = bench_.selection;
    if (!selection.graph()) return;
    const int module = all_.modules->selected();
    if (module > 0 || !selection.others().empty()) return inspectSeveral(module > 0 ? module : -1);
    const Node* node = selection.object();
    if (!node) return bench_.inspector->showGraph(selection.graph(), selection.kind());
    if (auto run = selection.run())
        return bench_.inspector->showNode({.node = *node, .kind = selection.kind(), .run = std::move(run)});
    InspectedNode shown{.node = *node, .kind = selection.kind(), .timing = bench_.run.timing()};
    for (const NodeId id : groupOf(bench_.run.compilers(), selection.kind(), node->id()))
        if (const Node* other = selection.graph()->findById(id)) shown.kernel.push_back(other);
    const auto record = bench_.run.partitioned();
    const auto joint = record ? record->graph(GraphKind::joint) : nullptr;
    shown.joint = joint.get();
    if (record) shown.metadata = metadataHtml(*node, *selection.graph(), selection.kind(), *record);
    const Node* value = isSplit(selection.kind()) && joint && record->partition ? joint->findById(node->id()) : nullptr;
    if (value && value->kind() != NodeKind::output) {
        shown.why = whyStory(*joint, *value, *record->partition, bench_.run.partitionOptions().cut);
        shown.whatIf = bench_.run.showsWhatIf();
        shown.why->communication = communicationStory(communication(record), node->id());
    }
    bench_.inspector->showNode(shown);
}

void RunPresenter::showPartition() {
    ShownRun& run = bench_.run;
    run.whatIf.reset();
    run.asked = all_.whatIf->shown().options;
    if (const auto partition = all_.whatIf->notCompiled()) {
        auto record = std::make_shared<CompileRecord>(*run.session()->record());
        record->partition = partition;
        run.whatIf = std::move(record);
    }
    bench_.pages->repartition(run);
    showSummary();
    showInspector();
}

// --- results ---

void RunPresenter::takeCheck(const CheckResult& result) {
    RunResults& results = bench_.run.runs.shown()->results;
    results.checked = result;
    results.judged = QTime::currentTime();
    showCompilers();
    if (result.tookMs >= kWorthKeepingMs || !handover_->file()->file().isEmpty()) handover_->file()->touch();
    fillPages();
    showVerdict();
    if (result.verdict() != CheckVerdict::equal)
        bench_.report(ProblemsPanel::Kind::error, all_.check->story().sentence);
    all_.log->add(LogLevel::info, "check", toQString(checkText(result, checkReference(*bench_.run.record()))));
    all_.list->refresh();
    bench_.pages->show(all_.check);
}

void RunPresenter::takeBisection(const BisectResult& result) {
    RunResults& results = bench_.run.runs.shown()->results;
    results.bisected = result;
    results.judged = QTime::currentTime();
    handover_->file()->touch();
    showVerdict();
    if (result.found) bench_.report(ProblemsPanel::Kind::error, all_.check->story().difference);
    all_.log->add(LogLevel::info, "bisect", toQString(bisectText(result)));
    bench_.pages->show(all_.check);
    showFirstDifference();
}

/// Shows the first pass and node that differ.
void RunPresenter::showFirstDifference() {
    if (!bench_.run.bisection()) return;
    const BisectResult& result = *bench_.run.bisection();
    const auto& passes = bench_.run.session()->record()->passes;
    const auto pass = std::ranges::find_if(
        passes, [&](const PassRecord& each) { return each.id == result.pass && each.title == result.title; });
    if (!result.found || pass == passes.end()) return;
    bench_.passes->setCurrentPass(static_cast<int>(pass - passes.begin()));
    for (const auto& [kind, graph] : pass->graphs) {
        if (kind != result.graph || result.node == kNoNode) continue;
        bench_.pane()->showGraph(kind, graph);
        bench_.selection.select(result.node);
    }
}

void RunPresenter::takeTraining(const TrainResult& result) {
    bench_.run.runs.shown()->results.trained = result;
    all_.compare->setRecompilations(result.recompilations);
}

void RunPresenter::takeTimingOf(int number, const TimingResult& result) {
    const auto run = bench_.run.runs.find(number);
    if (!run) return;
    if (run.get() == bench_.run.runs.shown()) return takeTiming(result);
    run->results.timed = result;
    handover_->file()->touch();
    all_.list->refresh();
}

void RunPresenter::takeTiming(const TimingResult& result) {
    bench_.run.runs.shown()->results.timed = result;
    showCompilers();
    handover_->file()->touch();
    all_.whatIf->learn(result);
    renewCosts();
    all_.navigation->setTiming(result);
    showSummary();
    Q_EMIT factsChanged();
    all_.log->add(LogLevel::info, "time", timesInShort(result));
    all_.list->refresh();
    bench_.pages->show(all_.times->panel());
}

/// The record of the session knows more of its operations.
void RunPresenter::renewCosts() {
    if (bench_.run.showsWhatIf()) showPartition();
    all_.navigation->colours()->setCostsOf(bench_.run.record());
    showTimes();
    fillPages();
    showInspector();
}

// --- a run that is paused ---

void RunPresenter::connectBreakpoints() {
    BreakpointController* breakpoints = all_.navigation->breakpoints();
    connect(breakpoints, &BreakpointController::stopped, this, &RunPresenter::showStop);
    connect(breakpoints, &BreakpointController::resumed, this,
            [this] { bench_.status->setStage(tr("The pipeline is running")); });
    connect(breakpoints, &BreakpointController::stepwiseRequested, all_.runs, &RunController::run);
    connect(all_.runs->job(), &BackgroundJob::finished, this, [this, breakpoints] {
        breakpoints->finish();
        // A result follows immediately; otherwise the run was cancelled.
        if (bench_.run.partial) QMetaObject::invokeMethod(this, &RunPresenter::leavePartial, Qt::QueuedConnection);
    });
}

void RunPresenter::showStop(const std::shared_ptr<const PipelineStop>& stop) {
    bench_.run.partial = stop->record;
    bench_.centre->showGraphs();
    setRunFinished(false);
    showRecord();
    bench_.status->setStage(tr("Stopped: %1").arg(toQString(stop->hit.reason)));
    if (const auto& where = stop->hit.where) {
        bench_.pane()->showGraph(where->kind, where->graph);
        bench_.selection.select(stop->hit.node);
    } else {
        bench_.passes->setCurrentPass(static_cast<int>(stop->record->passes.size()) - 1);
    }
    bench_.pages->show(all_.navigation->breakpoints()->panel());
}

/// The run was cancelled or has failed: restores the previous content.
void RunPresenter::leavePartial() {
    if (!bench_.run.partial || all_.runs->running()) return;
    bench_.run.partial.reset();
    if (!bench_.run.session()) {
        bench_.passes->setRecord(nullptr);
        bench_.centre->showStart(bench_.settings.recentModels());
        fillPages();
        return showSummary();
    }
    showRecord();
    setRunFinished(true);
}

/// Hides what only finished runs have: it would belong to the previous run.
void RunPresenter::setRunFinished(bool finished) {
    all_.whatIf->setPaused(!finished);
    bench_.pages->setRunFinished(finished);
}

}  // namespace aotscope
