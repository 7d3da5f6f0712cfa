#include "controllers/what_if/what_if_controller.h"

#include "canvas/drawn_graph.h"
#include "charts/chart_file.h"
#include "controllers/what_if/what_if_answers.h"
#include "io/python/text.h"
#include "models/tables/variant_tables.h"
#include "partition/overrides.h"

#include <QApplication>
#include <QClipboard>
#include <QInputDialog>

#include <algorithm>

namespace aotscope {

QString pausedText() {
    return QObject::tr(
        "Not available while the pipeline is paused at a breakpoint: it is about the previous run, and shown again "
        "when this one has finished or was cancelled.");
}

namespace {

/// Null: nothing to partition.
std::shared_ptr<const Graph> jointToPartition(const CompileRecord& record) {
    return record.partition && record.metadata ? record.graph(GraphKind::joint) : nullptr;
}

/// Whether partitions of one graph are partitions of the other.
bool sameOperations(const Graph& a, const Graph& b) {
    const auto same = [](const Node* x, const Node* y) {
        return x->id() == y->id() && x->op() == y->op() && x->name() == y->name();
    };
    return std::ranges::equal(a.nodes(), b.nodes(), same);
}

}  // namespace

WhatIfController::WhatIfController(const Surroundings& around, CalibrationController* calibration)
    : Controller(around),
      variants_(new VariantController(around, state_)),
      panel_(new WhatIfPanel(window_)),
      difference_(new TablePair({QStringLiteral("differenceTable"), tr("Figures of both partitions")},
                                {QStringLiteral("changedValuesTable"), tr("Values that differ")}, 45, window_)),
      memory_(new MemoryPanel(window_)),
      communication_(new CommunicationPanel(window_)),
      calibration_(calibration) {
    makeActions();
    connectPanels();
    connectVariants();
    enableWhatApplies();
}

WhatIfController::~WhatIfController() {
    delete variants_;  // refers to members of this
}

void WhatIfController::connectPanels() {
    connect(panel_, &WhatIfPanel::changed, this, &WhatIfController::change);
    connect(communication_, &CommunicationPanel::changed, this, &WhatIfController::change);
    connect(panel_, &WhatIfPanel::nodeSelected, this, &WhatIfController::nodeSelected);
    connect(memory_, &MemoryPanel::nodeSelected, this, &WhatIfController::nodeSelected);
    for (TablePanel* table : {difference_->right(), memory_->live()}) {
        connect(table, &TablePanel::nodeSelected, this, &WhatIfController::nodeSelected);
        connect(table, &TablePanel::nodesSelected, this, &WhatIfController::nodesSelected);
    }
    connect(pane_->view(), &GraphView::nodeToggled, selection_, &Selection::toggle);
    connect(pane_->view(), &GraphView::menuRequested, this, &WhatIfController::showMenu);
    connect(&answers_, &BackgroundJob::failed, this, &WhatIfController::onRefused);
    connect(calibration_, &CalibrationController::calibrated, this, &WhatIfController::estimateWith);
}

void WhatIfController::connectVariants() {
    connect(variants_, &VariantController::chosen, this, &WhatIfController::show);
    connect(variants_, &VariantController::activated, this, &WhatIfController::applied);
    connect(variants_, &VariantController::compareRequested, this, &WhatIfController::compareWith);
    connect(variants_->pareto(), &ParetoPanel::sweepRequested, this, [this] { variants_->sweep(options_); });
    connect(variants_, &VariantController::figuresChanged, this, &WhatIfController::showFigures);
    forward(variants_);
}

void WhatIfController::setSession(const std::shared_ptr<const Session>& session) {
    answers_.cancel();
    alternatives_.cancel();
    initial_ = initialFor(*session);
    const auto record = session->record();
    options_ = session->options().partition;
    state_ = {};
    state_.session = session;
    state_.joint = jointToPartition(*record);
    answerMs_ = 0;
    showsCompiled_ = true;
    asking_ = false;
    variants_->clear();
    panel_->showOptions(options_, nullptr);
    communication_->setOptions(options_, nullptr);
    memory_->showMemory(nullptr, {});
    difference_->left()->setContent({});
    difference_->right()->setContent({});
    showSelection();
    if (state_.joint) prepare();
}

/// Variants belong to a joint graph: they stay if only the partition changes.
LeftWhatIf WhatIfController::initialFor(const Session& next) {
    LeftWhatIf initial = std::exchange(resumed_, {});
    const auto joint = jointToPartition(*next.record());
    if (state_.joint && joint && sameOperations(*state_.joint, *joint)) {
        const LeftWhatIf now = left();
        return {initial.asked, now.variants, now.sweep};
    }
    const SessionContent* saved = next.saved();
    if (saved && initial.variants.empty() && initial.sweep.empty())
        return {initial.asked, saved->variants, saved->sweep};
    return initial;
}

LeftWhatIf WhatIfController::left() const {
    if (!state_.whatIf) return initial_;
    LeftWhatIf left{std::nullopt, variants_->kept(), variants_->swept()};
    if (!showsCompiled_ || asking_) left.asked = options_;
    return left;
}

/// Computes what does not depend on the options once, in the background.
void WhatIfController::prepare() {
    answers_.start<WhatIfPreparation>(
        tr("Preparing what-if"),
        [engine = engine_, session = state_.session, kept = initial_, timed = timed_](const Progress&) {
            return prepareWhatIf(engine, *session, kept, timed);
        },
        [this](WhatIfPreparation prepared) { takePrepared(std::move(prepared)); });
}

void WhatIfController::takePrepared(WhatIfPreparation prepared) {
    const auto asked = std::exchange(initial_, {}).asked;
    state_.whatIf = std::move(prepared.whatIf);
    state_.times = std::move(prepared.times);
    variants_->take(std::move(prepared.variants), std::move(prepared.sweep));
    const Variant& compiled = variants_->list().front();
    state_.baseline = compiled;
    options_ = compiled.options;
    showOptions();
    onAnswer({compiled, {}, true});
    if (asked) apply(*asked);
    enableWhatApplies();
}

void WhatIfController::showOptions() {
    panel_->showOptions(options_, state_.joint.get());
    communication_->setOptions(options_, state_.joint.get());
}

void WhatIfController::setPaused(bool paused) {
    if (paused == std::exchange(state_.paused, paused)) return;
    if (paused) cancel();
    panel_->setEnabled(!paused);
    communication_->setEnabled(!paused);
    showSelection();
    offerUndo();
    if (paused) return panel_->showProblem(pausedText());
    if (!state_.ready()) return;
    pane_->setPartition(state_.shown.partition, differsFrom_);
    showAnswer();
}

void WhatIfController::learn(const TimingResult& timing) {
    timed_ = timing;
    if (state_.whatIf) variants_->learn(timing);
    else if (state_.joint) prepare();
}

void WhatIfController::estimateAgain() {
    if (state_.whatIf) variants_->estimateAgain();
    else if (state_.joint) prepare();
}

void WhatIfController::estimateWith(const MachineModel& machine) {
    if (state_.whatIf) variants_->estimateWith(machine);
    else if (state_.joint) prepare();
}

std::shared_ptr<const Partition> WhatIfController::notCompiled() const {
    return showsCompiled_ ? nullptr : state_.shown.partition;
}

bool WhatIfController::busy() const { return answers_.running() || alternatives_.running() || variants_->busy(); }

/// Another node is selected, or another graph shown.
void WhatIfController::showSelection() {
    enableWhatApplies();
    askWhy();
}

// --- what-if ---

void WhatIfController::change(const PartitionOptions& options, const QString& what, bool merge) {
    if (!state_.ready()) return;
    undo_->push(new OptionsChange(options_, options, what, merge, [this](const PartitionOptions& o) { apply(o); }));
}

/// The joint graph shows it.
void WhatIfController::apply(const PartitionOptions& options) {
    options_ = options;
    if (!state_.whatIf) {  // by Undo, just after another run was shown
        initial_.asked = options;
        return;
    }
    if (!pane_->showsNetwork()) pane_->showKind(GraphKind::joint);
    showOptions();
    ask();
    enableWhatApplies();
}

/// A plan for a limit of the peak is shown at once, and again when it is proved, or improved.
void WhatIfController::ask() {
    asking_ = true;
    clock_.start();
    PartitionOptions quick = options_;
    const bool plans = plansByPeak(options_) && options_.planSeconds > 0;
    if (plans) quick.planSeconds = 0;
    ask(tr("Partitioning"), std::move(quick), [this, plans] {
        if (plans) ask(tr("Proving the plan"), options_, [] {});
    });
}

void WhatIfController::ask(const QString& what, PartitionOptions asked, std::function<void()> then) {
    answers_.start<Answer>(
        what,
        [whatIf = state_.whatIf, options = std::move(asked), before = state_.baseline.partition,
         compiled = variants_->list().front().partition, times = *state_.times,
         record = state_.session->record()](const Progress& progress) {
            progress.throwIfCancelled();
            Answer answer;
            const auto partition = whatIf->partition(options, progress);
            progress.throwIfCancelled();
            answer.variant = makeVariant(tr("What If"), options, partition, record->knownMetadata(), times);
            answer.difference = compare(*before, *partition);
            answer.compiled = (before == compiled ? answer.difference : compare(*compiled, *partition)).empty();
            return answer;
        },
        [this, then = std::move(then)](Answer answer) {
            onAnswer(std::move(answer));
            answerMs_ = static_cast<double>(clock_.nsecsElapsed()) / 1e6;
            showAnswer();
            then();
            Q_EMIT answered();
        });
}

void WhatIfController::onAnswer(Answer answer) {
    state_.shown = std::move(answer.variant);
    showsCompiled_ = answer.compiled;
    asking_ = false;
    variants_->recogniseShown();
    const bool same = state_.shown.partition == state_.baseline.partition || answer.difference.empty();
    differsFrom_ = same ? nullptr : state_.baseline.partition;
    if (!state_.paused) pane_->setPartition(state_.shown.partition, differsFrom_);
    difference_->left()->setContent(differenceTable(state_.baseline, state_.shown, answer.difference));
    difference_->right()->setContent(changedValuesTable(answer.difference));
    showMemory();
    showAnswer();
    variants_->refresh();
    showSelection();
}

/// Figures have changed, not the partitions.
void WhatIfController::showFigures() {
    const auto &before = state_.baseline, &after = state_.shown;
    if (after.partition && before.partition)
        difference_->left()->setContent(differenceTable(before, after, compare(*before.partition, *after.partition)));
    showMemory();
    if (state_.paused) return;
    showAnswer();
    askWhy();
}

void WhatIfController::showMemory() {
    memory_->showMemory(state_.shown.memory, state_.shown.measured, state_.shown.arena, notCompiled() != nullptr);
}

void WhatIfController::showAnswer() {
    QStringList notes;
    if (const QString budget = choiceLine(*state_.shown.partition); !budget.isEmpty()) notes << budget;
    if (const QString line = communicationLine(state_.baseline, state_.shown); !line.isEmpty()) notes << line;
    if (const QString line = savedInsteadLine(state_.baseline, state_.shown); !line.isEmpty()) notes << line;
    if (const std::string caution = state_.times->caution(); !caution.empty()) notes << toQString(caution);
    panel_->showAnswer(resultOf(state_.baseline, state_.shown, notCompiled() != nullptr), notes, answerMs_);
}

/// Infeasible: the picture keeps the last feasible partition. If no finite cut exists, the values that can neither be
/// saved nor recomputed are framed.
void WhatIfController::onRefused(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const Cancelled&) {
        return;
    } catch (const UnboundedCut& e) {
        std::vector<NodeId> path;
        for (const PathStep& step : e.path) path.push_back(step.node);
        pane_->view()->setAlsoSelected(path);
    } catch (...) {  // nothing to frame
    }
    panel_->showProblem(whyFailed(error));
    Q_EMIT pageAsked(panel_);
    Q_EMIT answered();
}

/// Computes the effects of the other choices for the selected value. No sentences: being computed, or no other choice.
void WhatIfController::askWhy() {
    alternatives_.cancel();
    const NodeId id = selection_->node();
    Q_EMIT alternativesFound(id, {});
    const Node* node = state_.ready() && state_.joint ? state_.joint->findById(id) : nullptr;
    if (!node || node->kind() != NodeKind::call || node->stage != Stage::forward) return;
    alternatives_.start<QStringList>(
        tr("Partitioning"),
        [whatIf = state_.whatIf, shown = state_.shown, id, times = *state_.times,
         record = state_.session->record()](const Progress& progress) {
            return alternativesTo(*whatIf, shown, id, record->knownMetadata(), times, progress);
        },
        [this, id](const QStringList& sentences) { Q_EMIT alternativesFound(id, sentences); });
}

/// The values of an override: those that the forward computes.
std::vector<NodeId> WhatIfController::valuesAmong(const std::vector<NodeId>& nodes) const {
    std::vector<NodeId> values;
    for (const NodeId id : nodes)
        if (const Node* node = state_.joint ? state_.joint->findById(id) : nullptr;
            node && node->kind() == NodeKind::call && node->stage == Stage::forward)
            values.push_back(id);
    return values;
}

std::vector<NodeId> WhatIfController::chosenValues() const {
    std::vector<NodeId> chosen{selection_->node()};
    chosen.insert(chosen.end(), selection_->others().begin(), selection_->others().end());
    return valuesAmong(chosen);
}

void WhatIfController::setOverride(ValueOverride wanted) {
    const std::vector<NodeId> nodes = chosenValues();
    if (!state_.ready() || nodes.empty()) return;
    change(withOverride(options_, wanted, nodes, *state_.joint), overrideText(wanted, nodes, *state_.joint), false);
}

void WhatIfController::show(const Variant& variant) { change(variant.options, tr("show %1").arg(variant.name), false); }

void WhatIfController::compareWith(const Variant& before, const Variant& after) {
    state_.baseline = before;
    change(after.options, tr("compare %1 with %2").arg(after.name, before.name), false);
}

void WhatIfController::backToCompiled() {
    if (!state_.ready()) return;
    state_.baseline = variants_->list().front();
    change(state_.baseline.options, tr("back to the compiled partition"), false);
}

void WhatIfController::showMenu(const QPoint& globalPosition) {
    auto* menu = new QMenu(window_);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addActions(overrides_);
    Q_EMIT menuAsked(menu);
    menu->popup(globalPosition);
}

void WhatIfController::copyAsPython() {
    Options options = state_.session->options();
    options.partition = withNamedOverrides(*state_.joint, state_.shown.options);
    QApplication::clipboard()->setText(toQString(partitionAsPython(options)));
    Q_EMIT said(tr("Copied as Python; see Using aotscope from Python in the manual"));
}

void WhatIfController::askForName() {
    if (!state_.ready()) return;
    auto* dialog = new QInputDialog(window_);
    dialog->setObjectName(QStringLiteral("variantNameDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Keep as Variant"));
    dialog->setLabelText(tr("Name of the variant:"));
    dialog->setTextValue(undo_->undoText().isEmpty() ? tr("variant %1").arg(variants_->list().size())
                                                     : undo_->undoText());
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& name) {
        variants_->keep(name);
        Q_EMIT runsAsked();
    });
    dialog->open();
}

void WhatIfController::exportMemory(const QString& file) {
    const QString title = tr("%1: live memory").arg(toQString(state_.session->record()->model.name));
    guarded([&] {
        writePlot(memoryPlot(memory_->chart()->curve(), -1, title), file.toStdString(),
                  pane_->view()->paintOptions().theme);
    });
}

}  // namespace aotscope
