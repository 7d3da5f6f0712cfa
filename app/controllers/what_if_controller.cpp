#include "controllers/what_if_controller.h"

#include "canvas/drawn_graph.h"
#include "charts/chart_file.h"
#include "controllers/make_action.h"
#include "controllers/what_if_answers.h"
#include "cost/runtime_model.h"
#include "io/text_report.h"
#include "models/variant_tables.h"

#include <QInputDialog>
#include <QUndoCommand>
#include <algorithm>

namespace aotscope {

namespace {

/// One change of the options. Changes that belong to one movement of the slider are one.
class ChangeCommand : public QUndoCommand {
public:
    using Apply = std::function<void(const PartitionOptions&)>;

    ChangeCommand(PartitionOptions before, PartitionOptions after, const QString& what, bool merge, Apply apply)
        : QUndoCommand(what),
          before_(std::move(before)),
          after_(std::move(after)),
          merge_(merge),
          apply_(std::move(apply)) {}

    void undo() override { apply_(before_); }
    void redo() override { apply_(after_); }
    int id() const override { return merge_ ? 1 : -1; }
    bool mergeWith(const QUndoCommand* other) override {
        const auto* next = static_cast<const ChangeCommand*>(other);
        after_ = next->after_;
        setText(next->text());
        return true;
    }

private:
    PartitionOptions before_, after_;
    bool merge_;
    Apply apply_;
};

}  // namespace

QString pausedText() {
    return QObject::tr(
        "Not available while the pipeline is paused at a breakpoint: it is about the previous run, and shown again "
        "when this one has finished or was cancelled.");
}

WhatIfController::WhatIfController(GraphPane* pane, Selection* selection, QWidget* window)
    : QObject(window),
      pane_(pane),
      selection_(selection),
      window_(window),
      why_(new WhyController(state_, selection, window)),
      variants_(new VariantController(state_, window)),
      panel_(new WhatIfPanel(window)),
      difference_(new TablePair({QStringLiteral("differenceTable"), tr("Figures of both partitions")},
                                {QStringLiteral("changedValuesTable"), tr("Values that differ")}, 45, window)),
      memory_(new MemoryPanel(window)) {
    makeActions();
    connectPanels();
    connectVariants();
    enableWhatApplies();
}

WhatIfController::~WhatIfController() {
    answers_.disconnect(this);
    delete variants_;  // refer to what this has
    delete why_;
}

void WhatIfController::makeActions() {
    overrideActions_ = {
        makeAction(this, QStringLiteral("actionSave"), tr("&Save for Backward"), {tr("Shift+S")},
                   tr("Partitions again with the selected values saved for backward"),
                   [this] { setOverride(Override::save, chosenValues()); }),
        makeAction(this, QStringLiteral("actionRecompute"), tr("&Recompute in Backward"), {tr("Shift+R")},
                   tr("Partitions again with the selected values recomputed in backward"),
                   [this] { setOverride(Override::recompute, chosenValues()); }),
        makeAction(this, QStringLiteral("actionLeave"), tr("&Leave to Partitioner"), {tr("Shift+L")},
                   tr("Removes the overrides for the selected values"),
                   [this] { setOverride(Override::leave, chosenValues()); })};
    QAction* undo = undo_.createUndoAction(this, tr("Undo"));
    undo->setObjectName(QStringLiteral("actionUndo"));
    undo->setShortcut(QKeySequence::Undo);
    undo->setIconText(tr("Undo"));
    QAction* redo = undo_.createRedoAction(this, tr("Redo"));
    redo->setObjectName(QStringLiteral("actionRedo"));
    redo->setShortcut(QKeySequence::Redo);
    QAction* back =
        makeAction(this, QStringLiteral("actionBackToCompiled"), tr("&Back to Compiled Partition"), {tr("Shift+B")},
                   tr("Shows the compiled partition and compares others with it"), [this] { backToCompiled(); });
    back->setIconText(tr("As Compiled"));
    QAction* keep =
        makeAction(this, QStringLiteral("actionKeep"), tr("&Keep as Variant…"), {tr("Shift+K")},
                   tr("Names the shown partition, to compare and measure it later"), [this] { askForName(); });
    keep->setIconText(tr("Keep as Variant…"));
    QAction* budgets =
        makeAction(this, QStringLiteral("actionSweep"), tr("&Try 20 Memory Budgets"), {tr("Shift+P")},
                   tr("Draws time against memory for 20 memory budgets"), [this] { variants_->sweep(options_); });
    network_ = makeAction(this, QStringLiteral("actionNetwork"), tr("&Flow Network"), {tr("W")},
                          tr("Shows the flow network whose minimum cut is the partition"),
                          [this] { pane_->showNetwork(selection_->node()); });
    needReady_ = {back, keep, budgets};
    actions_ = overrideActions_;
    actions_.insert(actions_.end(), {undo, redo, back, keep, budgets, network_});
    panel_->addButtons({undo, redo, back, keep});
}

void WhatIfController::addActionsTo(QMenu* menu) {
    for (QAction* action : actions_) {
        menu->addAction(action);
        if (action == overrideActions_.back() || action->objectName() == QLatin1String("actionKeep"))
            menu->addSeparator();
    }
}

void WhatIfController::addOverridesTo(TablePanel* table) {
    const auto add = [&](const QString& text, Override wanted) {
        auto* action = new QAction(text, table);
        connect(action, &QAction::triggered, this,
                [this, table, wanted] { setOverride(wanted, table->markedNodes()); });
        table->view()->addAction(action);
    };
    add(tr("Save for Backward"), Override::save);
    add(tr("Recompute in Backward"), Override::recompute);
    add(tr("Leave to Partitioner"), Override::leave);
}

void WhatIfController::connectPanels() {
    connect(panel_, &WhatIfPanel::changed, this, &WhatIfController::change);
    connect(panel_, &WhatIfPanel::nodeSelected, this, &WhatIfController::nodeSelected);
    connect(why_->panel(), &WhyPanel::nodeSelected, this, &WhatIfController::nodeSelected);
    connect(memory_, &MemoryPanel::nodeSelected, this, &WhatIfController::nodeSelected);
    for (TablePanel* table : {difference_->right(), memory_->live()})
        connect(table, &TablePanel::nodeSelected, this, &WhatIfController::nodeSelected);
    connect(pane_->view(), &GraphView::nodeToggled, selection_, &Selection::toggle);
    connect(pane_->view(), &GraphView::menuRequested, this, &WhatIfController::showMenu);
    connect(&answers_, &BackgroundJob::failed, this, &WhatIfController::onRefused);
}

void WhatIfController::connectVariants() {
    connect(variants_, &VariantController::chosen, this, &WhatIfController::show);
    connect(variants_, &VariantController::compareRequested, this, &WhatIfController::compareWith);
    connect(variants_, &VariantController::sweepRequested, this, [this] { variants_->sweep(options_); });
    connect(variants_, &VariantController::figuresChanged, this, &WhatIfController::showFigures);
    connect(variants_, &VariantController::failed, this, &WhatIfController::failed);
    connect(variants_, &VariantController::started, this, &WhatIfController::started);
    connect(variants_, &VariantController::stageEntered, this, &WhatIfController::stageEntered);
    connect(variants_, &VariantController::finished, this, &WhatIfController::finished);
}

void WhatIfController::setSession(std::shared_ptr<const Session> session) {
    answers_.cancel();
    why_->cancel();
    const auto record = session->record();
    options_ = session->options().partition;
    const bool partitioned = record->partition && record->metadata;
    state_ = {};
    state_.session = std::move(session);
    if (partitioned) state_.joint = record->graph(GraphKind::joint);
    undo_.clear();
    variants_->clear();
    panel_->showOptions(options_, nullptr);
    memory_->showMemory(nullptr, {});
    difference_->left()->setContent({});
    difference_->right()->setContent({});
    showSelection();
    if (state_.joint) prepare();
}

/// What does not depend on the options is found out once, in the background.
void WhatIfController::prepare() {
    answers_.start<Prepared>(
        tr("Preparing what-if"),
        [joint = state_.joint, options = options_, session = state_.session](const Progress&) {
            Prepared prepared;
            const auto record = session->record();
            const FunctionMetadata& meta = record->knownMetadata();
            const std::string& device = session->options().device;
            NodeTimes times(machineModel(device));
            const SessionContent* saved = session->saved();
            if (saved && saved->timing) times.learn(*saved->timing);
            prepared.times = std::make_shared<const NodeTimes>(times);
            prepared.whatIf = std::make_shared<const PartitionWhatIf>(joint, rooflineTimes(device));
            prepared.caution = disturbanceNote(machineModel(device));
            prepared.variants = {makeVariant(tr("compiled"), options, record->partition, meta, times)};
            if (!saved) return prepared;
            if (saved->timing) prepared.variants.front().measured = measuredFigures(*saved->timing);
            std::ranges::move(variantsFrom(saved->variants, meta, times), std::back_inserter(prepared.variants));
            prepared.sweep = variantsFrom(saved->sweep, meta, times);
            return prepared;
        },
        [this](Prepared prepared) { takePrepared(std::move(prepared)); });
}

void WhatIfController::takePrepared(Prepared prepared) {
    state_.whatIf = std::move(prepared.whatIf);
    state_.times = std::move(prepared.times);
    caution_ = toQString(prepared.caution);
    variants_->take(std::move(prepared.variants), std::move(prepared.sweep));
    state_.baseline = variants_->list().front();
    panel_->showOptions(options_, state_.joint.get());
    onAnswer({state_.baseline, {}});
    enableWhatApplies();
}

void WhatIfController::setTheme(const Theme& theme) {
    variants_->setTheme(theme);
    memory_->setTheme(theme);
}

void WhatIfController::setPaused(bool paused) {
    if (paused == std::exchange(state_.paused, paused)) return;
    if (paused) cancel();
    panel_->setEnabled(!paused);
    showSelection();
    if (paused) return panel_->showProblem(pausedText());
    if (!state_.ready()) return;
    pane_->setPartition(state_.shown.partition, differsFrom_);
    showAnswer();
}

void WhatIfController::learn(const TimingResult& timing) {
    if (state_.ready()) variants_->learn(timing);
}

bool WhatIfController::busy() const { return answers_.running() || why_->busy() || variants_->busy(); }

void WhatIfController::enableWhatApplies() {
    const bool ready = state_.ready();
    for (QAction* action : needReady_) action->setEnabled(ready);
    network_->setEnabled(ready && state_.shown.partition && state_.shown.partition->network);
    const bool values = ready && !chosenValues().empty();
    for (QAction* action : overrideActions_) action->setEnabled(values);
    variants_->enableWhatApplies();
}

/// Another node is selected, or another graph shown.
void WhatIfController::showSelection() {
    enableWhatApplies();
    why_->show();
}

// --- what-if ---

void WhatIfController::change(const PartitionOptions& options, const QString& what, bool merge) {
    if (!state_.ready()) return;
    undo_.push(new ChangeCommand(options_, options, what, merge, [this](const PartitionOptions& o) { apply(o); }));
}

void WhatIfController::apply(const PartitionOptions& options) {
    options_ = options;
    panel_->showOptions(options_, state_.joint.get());
    ask();
}

void WhatIfController::ask() {
    clock_.start();
    answers_.start<Answer>(
        tr("Partitioning"),
        [whatIf = state_.whatIf, options = options_, before = state_.baseline.partition, times = *state_.times,
         record = state_.session->record()](const Progress& progress) {
            progress.throwIfCancelled();
            Answer answer;
            const auto partition = whatIf->partition(options);
            progress.throwIfCancelled();
            answer.variant = makeVariant(tr("what-if"), options, partition, record->knownMetadata(), times);
            answer.difference = compare(*before, *partition);
            return answer;
        },
        [this](Answer answer) {
            onAnswer(std::move(answer));
            answerMs_ = static_cast<double>(clock_.nsecsElapsed()) / 1e6;
            showAnswer();
            Q_EMIT answered();
        });
}

void WhatIfController::onAnswer(Answer answer) {
    state_.shown = std::move(answer.variant);
    variants_->recogniseShown();
    const bool same = state_.shown.partition == state_.baseline.partition || answer.difference.empty();
    differsFrom_ = same ? nullptr : state_.baseline.partition;
    if (!state_.paused) pane_->setPartition(state_.shown.partition, differsFrom_);
    difference_->left()->setContent(differenceTable(state_.baseline, state_.shown, answer.difference));
    difference_->right()->setContent(changedValuesTable(answer.difference));
    memory_->showMemory(state_.shown.memory, state_.shown.measured);
    showAnswer();
    variants_->refresh();
    showSelection();
}

/// Numbers have changed, not the partitions.
void WhatIfController::showFigures() {
    const auto &before = state_.baseline, &after = state_.shown;
    if (after.partition && before.partition)
        difference_->left()->setContent(differenceTable(before, after, compare(*before.partition, *after.partition)));
    memory_->showMemory(after.memory, after.measured);
}

void WhatIfController::showAnswer() {
    QStringList lines{differenceLine(state_.baseline, state_.shown)};
    if (const QString budget = budgetLine(*state_.shown.partition); !budget.isEmpty()) lines << budget;
    if (!caution_.isEmpty()) lines << caution_;
    panel_->showAnswer(lines, answerMs_);
}

/// No such partition: the picture stays with the last one that was possible. Where no finite cut exists, the values
/// that can neither be saved nor recomputed are framed.
void WhatIfController::onRefused(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const Cancelled&) {
    } catch (const UnboundedCut& e) {
        panel_->showProblem(QString::fromUtf8(e.what()));
        std::vector<NodeId> path;
        for (const PathStep& step : e.path) path.push_back(step.node);
        pane_->view()->setAlsoSelected(path);
        Q_EMIT answered();
    } catch (const std::exception& e) {
        panel_->showProblem(QString::fromUtf8(e.what()));
        Q_EMIT answered();
    }
}

/// What an override is about: the selected values as far as the forward computes them.
std::vector<NodeId> WhatIfController::chosenValues() const {
    std::vector<NodeId> chosen{selection_->node()}, values;
    chosen.insert(chosen.end(), selection_->others().begin(), selection_->others().end());
    for (const NodeId id : chosen)
        if (const Node* node = state_.joint ? state_.joint->findById(id) : nullptr;
            node && node->kind() == NodeKind::call && node->stage == Stage::forward)
            values.push_back(id);
    return values;
}

void WhatIfController::setOverride(Override wanted, const std::vector<NodeId>& nodes) {
    if (!state_.ready() || nodes.empty()) return;
    PartitionOptions next = options_;
    next.algorithm = PartitionAlgorithm::minCut;
    for (const NodeId id : nodes) {
        if (const Node* node = state_.joint->findById(id); !node || node->kind() != NodeKind::call) continue;
        next.cut.mustSave.erase(id);
        next.cut.mustRecompute.erase(id);
        if (wanted == Override::save) next.cut.mustSave.insert(id);
        if (wanted == Override::recompute) next.cut.mustRecompute.insert(id);
    }
    const QString name = nodes.size() == 1 ? QStringLiteral("%") + toQString(state_.joint->findById(nodes[0])->name())
                                           : tr("%1 values").arg(nodes.size());
    const QString what = wanted == Override::save        ? tr("save %1")
                         : wanted == Override::recompute ? tr("recompute %1")
                                                         : tr("leave %1 to the partitioner");
    change(next, what.arg(name), false);
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
    for (QAction* action : overrideActions_) menu->addAction(action);
    Q_EMIT menuAsked(menu);
    menu->popup(globalPosition);
}

void WhatIfController::askForName() {
    if (!state_.ready()) return;
    auto* dialog = new QInputDialog(window_);
    dialog->setObjectName(QStringLiteral("variantNameDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Keep as Variant"));
    dialog->setLabelText(tr("Name of the variant:"));
    dialog->setTextValue(undo_.undoText().isEmpty() ? tr("variant %1").arg(variants_->list().size())
                                                    : undo_.undoText());
    connect(dialog, &QInputDialog::textValueSelected, variants_, &VariantController::keep);
    dialog->open();
}

void WhatIfController::exportMemory(const QString& file) {
    const QString title = tr("%1: live memory").arg(toQString(state_.session->record()->model.name));
    try {
        writePlot(memoryPlot(memory_->chart()->curve(), -1, title), file.toStdString(),
                  pane_->view()->paintOptions().theme);
    } catch (...) {
        Q_EMIT failed(std::current_exception());
    }
}

}  // namespace aotscope
