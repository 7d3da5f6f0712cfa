#include "controllers/what_if_controller.h"

#include "canvas/drawn_graph.h"
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

QString pausedText() {
    return QObject::tr(
        "Not available while the pipeline is paused at a breakpoint: it is about the previous run, and shown again "
        "when this one has finished or was cancelled.");
}

}  // namespace

WhatIfController::WhatIfController(GraphPane* pane, Selection* selection, QWidget* window)
    : QObject(window),
      pane_(pane),
      selection_(selection),
      window_(window),
      why_(new WhyPanel(window)),
      panel_(new WhatIfPanel(window)),
      difference_(new TablePair({QStringLiteral("differenceTable"), tr("Numbers of both partitions")},
                                {QStringLiteral("changedValuesTable"), tr("Values whose fate differs")}, 45, window)),
      variantPanel_(new VariantPanel(window)),
      pareto_(new ParetoPanel(window)),
      memory_(new MemoryPanel(window)) {
    makeActions();
    connectPanels();
    enableWhatApplies();
}

WhatIfController::~WhatIfController() {
    for (BackgroundJob* job : {&answers_, &alternatives_, &sweeps_, &measurements_}) job->disconnect(this);
}

void WhatIfController::makeActions() {
    overrideActions_ = {
        makeAction(this, QStringLiteral("actionSave"), tr("&Save for the backward"), {tr("Shift+S")},
                   tr("Splits the joint graph again so that the selected values are kept for the backward"),
                   [this] { setOverride(Override::save, chosenValues()); }),
        makeAction(this, QStringLiteral("actionRecompute"), tr("&Recompute in the backward"), {tr("Shift+R")},
                   tr("Splits the joint graph again so that the backward computes the selected values"),
                   [this] { setOverride(Override::recompute, chosenValues()); }),
        makeAction(this, QStringLiteral("actionLeave"), tr("&Leave to the partitioner"), {tr("Shift+L")},
                   tr("Takes back what was asked for the selected values"),
                   [this] { setOverride(Override::leave, chosenValues()); })};
    QAction* undo = undo_.createUndoAction(this, tr("Undo"));
    undo->setObjectName(QStringLiteral("actionUndo"));
    undo->setShortcut(QKeySequence::Undo);
    undo->setIconText(tr("Undo"));
    QAction* redo = undo_.createRedoAction(this, tr("Redo"));
    redo->setObjectName(QStringLiteral("actionRedo"));
    redo->setShortcut(QKeySequence::Redo);
    QAction* back =
        makeAction(this, QStringLiteral("actionBackToCompiled"), tr("&Back to the compiled partition"), {tr("Shift+B")},
                   tr("Shows the partition that is compiled; it is what others are compared with again"),
                   [this] { backToCompiled(); });
    back->setIconText(tr("As compiled"));
    QAction* keep =
        makeAction(this, QStringLiteral("actionKeep"), tr("&Keep as variant…"), {tr("Shift+K")},
                   tr("Gives the shown partition a name, to compare and measure it later"), [this] { askForName(); });
    keep->setIconText(tr("Keep as variant…"));
    actions_ = overrideActions_;
    actions_.insert(actions_.end(),
                    {undo, redo, back, keep,
                     makeAction(this, QStringLiteral("actionSweep"), tr("&Try 20 memory budgets"), {tr("Shift+P")},
                                tr("Draws memory against time for partitions of every size"), [this] { sweep(); }),
                     makeAction(this, QStringLiteral("actionNetwork"), tr("&Flow network"), {tr("W")},
                                tr("Shows the network whose smallest cut the partition is"),
                                [this] { pane_->showNetwork(selection_->node()); })});
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
    add(tr("Save for the backward"), Override::save);
    add(tr("Recompute in the backward"), Override::recompute);
    add(tr("Leave to the partitioner"), Override::leave);
}

void WhatIfController::connectPanels() {
    connect(panel_, &WhatIfPanel::changed, this, &WhatIfController::change);
    connect(panel_, &WhatIfPanel::nodeSelected, this, &WhatIfController::nodeSelected);
    connect(why_, &WhyPanel::nodeSelected, this, &WhatIfController::nodeSelected);
    connect(memory_, &MemoryPanel::nodeSelected, this, &WhatIfController::nodeSelected);
    for (TablePanel* table : {difference_->right(), memory_->live()})
        connect(table, &TablePanel::nodeSelected, this, &WhatIfController::nodeSelected);
    connect(variantPanel_, &VariantPanel::showRequested, this, &WhatIfController::showVariant);
    connect(variantPanel_, &VariantPanel::compareRequested, this, &WhatIfController::compareVariants);
    connect(variantPanel_, &VariantPanel::measureRequested, this, &WhatIfController::measure);
    connect(variantPanel_, &VariantPanel::removeRequested, this, &WhatIfController::removeVariants);
    connect(variantPanel_, &VariantPanel::activateRequested, this,
            [this](int variant) { Q_EMIT activated(variants_[static_cast<std::size_t>(variant)].options); });
    connect(pareto_, &ParetoPanel::sweepRequested, this, &WhatIfController::sweep);
    connect(pareto_, &ParetoPanel::measureRequested, this, &WhatIfController::measureSweep);
    connect(pareto_, &ParetoPanel::memoryChanged, this, &WhatIfController::refreshPareto);
    connect(pareto_->chart(), &ParetoChart::markChosen, this, &WhatIfController::choosePoint);
    connect(pane_->view(), &GraphView::nodeToggled, selection_, &Selection::toggle);
    connect(pane_->view(), &GraphView::menuRequested, this, &WhatIfController::showMenu);
    connect(&answers_, &BackgroundJob::failed, this, &WhatIfController::onRefused);
    for (BackgroundJob* job : {&sweeps_, &measurements_}) {
        connect(job, &BackgroundJob::failed, this, [this](const std::exception_ptr& error) {
            toMeasure_.clear();
            Q_EMIT failed(error);
        });
        connect(job, &BackgroundJob::started, this, &WhatIfController::started);
        connect(job, &BackgroundJob::stageEntered, this, &WhatIfController::stageEntered);
        connect(job, &BackgroundJob::finished, this, &WhatIfController::finished);
    }
}

void WhatIfController::setSession(std::shared_ptr<const Session> session) {
    for (BackgroundJob* job : {&answers_, &alternatives_, &sweeps_, &measurements_}) job->cancel();
    toMeasure_.clear();
    session_ = std::move(session);
    const auto record = session_->record();
    joint_ = record->partition && record->metadata ? record->graph(GraphKind::joint) : nullptr;
    laboratory_.reset();
    options_ = session_->options().partition;
    undo_.clear();
    variants_.clear();
    sweep_.clear();
    shown_ = baseline_ = {};
    shownIndex_ = -1;
    panel_->showOptions(options_, nullptr);
    memory_->showMemory(nullptr, {});
    difference_->left()->setContent({});
    difference_->right()->setContent({});
    pareto_->showNote({});
    refreshVariants();
    refreshPareto();
    showSelection();
    if (joint_) prepare();
}

/// What does not depend on the options is found out once, in the background.
void WhatIfController::prepare() {
    answers_.start<Prepared>(
        tr("Preparing what-if"),
        [joint = joint_, options = options_, session = session_](const Progress&) {
            Prepared prepared;
            const auto record = session->record();
            const FunctionMetadata& meta = record->knownMetadata();
            const std::string& device = session->options().device;
            NodeTimes times(machineModel(device));
            const SessionContent* saved = session->saved();
            if (saved && saved->timing) times.learn(*saved->timing);
            prepared.times = std::make_shared<const NodeTimes>(times);
            prepared.laboratory = std::make_shared<const PartitionLaboratory>(joint, rooflineTimes(device));
            prepared.caution = disturbanceNote(machineModel(device));
            prepared.variants = {makeVariant(tr("compiled"), options, record->partition, meta, times)};
            if (!saved) return prepared;
            if (saved->timing) prepared.variants.front().measured = measuredFigures(*saved->timing);
            std::ranges::move(variantsFrom(saved->variants, meta, times), std::back_inserter(prepared.variants));
            prepared.sweep = variantsFrom(saved->sweep, meta, times);
            return prepared;
        },
        [this](Prepared prepared) {
            laboratory_ = std::move(prepared.laboratory);
            times_ = std::move(prepared.times);
            caution_ = toQString(prepared.caution);
            variants_ = std::move(prepared.variants);
            sweep_ = std::move(prepared.sweep);
            if (!sweep_.empty()) notePoints();
            baseline_ = variants_.front();
            panel_->showOptions(options_, joint_.get());
            onAnswer({baseline_, {}});
            enableWhatApplies();
        });
}

void WhatIfController::setTheme(const Theme& theme) {
    pareto_->setTheme(theme);
    memory_->setTheme(theme);
}

void WhatIfController::setPaused(bool paused) {
    if (paused == std::exchange(paused_, paused)) return;
    if (paused) cancel();
    panel_->setEnabled(!paused);
    showSelection();
    if (paused) return panel_->showProblem(pausedText());
    if (!ready()) return;
    pane_->setPartition(shown_.partition, differsFrom_);
    showAnswer();
}

bool WhatIfController::busy() const {
    return answers_.running() || alternatives_.running() || sweeps_.running() || measurements_.running();
}

void WhatIfController::cancel() {
    toMeasure_.clear();
    sweeps_.cancel();
    measurements_.cancel();
}

void WhatIfController::enableWhatApplies() {
    for (QAction* action : actions_)
        if (action->objectName() != QLatin1String("actionUndo") && action->objectName() != QLatin1String("actionRedo"))
            action->setEnabled(ready());
    const bool network = ready() && shown_.partition && shown_.partition->network;
    for (QAction* action : actions_)
        if (action->objectName() == QLatin1String("actionNetwork")) action->setEnabled(network);
    const bool values = ready() && !chosenValues().empty();
    for (QAction* action : overrideActions_) action->setEnabled(values);
    pareto_->setEnabledFor(ready(), ready() && !sweep_.empty() && session_->whyNotExecutable().empty());
}

// --- what-if ---

void WhatIfController::change(const PartitionOptions& options, const QString& what, bool merge) {
    if (!ready()) return;
    undo_.push(new ChangeCommand(options_, options, what, merge, [this](const PartitionOptions& o) { apply(o); }));
}

void WhatIfController::apply(const PartitionOptions& options) {
    options_ = options;
    panel_->showOptions(options_, joint_.get());
    ask();
}

void WhatIfController::ask() {
    clock_.start();
    answers_.start<Answer>(
        tr("Partitioning"),
        [laboratory = laboratory_, options = options_, before = baseline_.partition, times = *times_,
         record = session_->record()](const Progress& progress) {
            progress.throwIfCancelled();
            Answer answer;
            const auto partition = laboratory->partition(options);
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
    shown_ = std::move(answer.variant);
    shownIndex_ = shownVariant();
    if (shownIndex_ >= 0) {
        const Variant& known = variants_[static_cast<std::size_t>(shownIndex_)];
        shown_.name = known.name;
        shown_.measured = known.measured;
    }
    const bool same = shown_.partition == baseline_.partition || answer.difference.empty();
    differsFrom_ = same ? nullptr : baseline_.partition;
    if (!paused_) pane_->setPartition(shown_.partition, differsFrom_);
    difference_->left()->setContent(differenceTable(baseline_, shown_, answer.difference));
    difference_->right()->setContent(changedValuesTable(answer.difference));
    memory_->showMemory(shown_.memory, shown_.measured);
    showAnswer();
    refreshVariants();
    refreshPareto();
    showSelection();
}

void WhatIfController::showAnswer() {
    QStringList lines{differenceLine(baseline_, shown_)};
    if (const QString budget = budgetLine(*shown_.partition); !budget.isEmpty()) lines << budget;
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
        if (const Node* node = joint_ ? joint_->findById(id) : nullptr;
            node && node->kind() == NodeKind::call && node->stage == Stage::forward)
            values.push_back(id);
    return values;
}

void WhatIfController::setOverride(Override wanted, const std::vector<NodeId>& nodes) {
    if (!ready() || nodes.empty()) return;
    PartitionOptions next = options_;
    next.algorithm = PartitionAlgorithm::minCut;
    for (const NodeId id : nodes) {
        if (const Node* node = joint_->findById(id); !node || node->kind() != NodeKind::call) continue;
        next.cut.mustSave.erase(id);
        next.cut.mustRecompute.erase(id);
        if (wanted == Override::save) next.cut.mustSave.insert(id);
        if (wanted == Override::recompute) next.cut.mustRecompute.insert(id);
    }
    const QString name = nodes.size() == 1 ? QStringLiteral("%") + toQString(joint_->findById(nodes[0])->name())
                                           : tr("%1 values").arg(nodes.size());
    const QString what = wanted == Override::save        ? tr("save %1")
                         : wanted == Override::recompute ? tr("recompute %1")
                                                         : tr("leave %1 to the partitioner");
    change(next, what.arg(name), false);
}

void WhatIfController::backToCompiled() {
    if (!ready()) return;
    baseline_ = variants_.front();
    change(variants_.front().options, tr("back to the compiled partition"), false);
}

void WhatIfController::showMenu(const QPoint& globalPosition) {
    auto* menu = new QMenu(window_);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (QAction* action : overrideActions_) menu->addAction(action);
    Q_EMIT menuAsked(menu);
    menu->popup(globalPosition);
}

// --- why ---

void WhatIfController::showSelection() {
    enableWhatApplies();
    alternatives_.cancel();
    if (paused_) return why_->showMessage(pausedText());
    const Node* node = joint_ ? joint_->findById(selection_->node()) : nullptr;
    if (!node || !ready() || node->kind() == NodeKind::output)
        return why_->showMessage(!joint_ ? tr("There is no partition: no gradient is computed.")
                                         : tr("Select a value to see why it is saved, recomputed or neither."));
    why_->showStory(whyStory(*joint_, *node, *shown_.partition, shown_.options.cut));
    if (node->kind() == NodeKind::call && node->stage == Stage::forward) askForAlternatives(node->id());
}

void WhatIfController::askForAlternatives(NodeId node) {
    alternatives_.start<QStringList>(
        tr("Partitioning"),
        [laboratory = laboratory_, shown = shown_, node, times = *times_,
         record = session_->record()](const Progress& progress) {
            return alternativesTo(*laboratory, shown, node, record->knownMetadata(), times, progress);
        },
        [this](const QStringList& sentences) { why_->setAlternatives(sentences); });
}

void WhatIfController::askForName() {
    if (!ready()) return;
    auto* dialog = new QInputDialog(window_);
    dialog->setObjectName(QStringLiteral("variantNameDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Keep as variant"));
    dialog->setLabelText(tr("Name of the variant:"));
    dialog->setTextValue(undo_.undoText().isEmpty() ? tr("variant %1").arg(variants_.size()) : undo_.undoText());
    connect(dialog, &QInputDialog::textValueSelected, this, &WhatIfController::keep);
    dialog->open();
}

}  // namespace aotscope
