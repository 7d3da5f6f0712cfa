#include "controllers/what_if/variant_controller.h"

#include "charts/chart_file.h"
#include "controllers/what_if/what_if_answers.h"
#include "controllers/what_if/what_if_preparation.h"
#include "models/tables/variant_tables.h"
#include "partition/checkpointed_modules.h"
#include "partition/pareto.h"
#include "record/options/peak_limit.h"
#include "support/formatted.h"
#include "support/names.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace aotscope {

namespace {

constexpr int kSweepPoints = 20, kSweepPlans = 8, kSweepCheckpoints = 4;
constexpr int kVariantRuns = 5;
constexpr double kMegabyte = 1e6;

bool sameFigures(const Variant& a, const Variant& b) {
    return a.figures.savedBytes == b.figures.savedBytes && a.figures.recomputedOps == b.figures.recomputedOps &&
           a.figures.peakBytes == b.figures.peakBytes;
}

/// "0.30" for a budget, "70 %" for a plan, "3" for checkpointed modules.
QString limitOf(const PartitionOptions& options) {
    switch (kindOf(options)) {
        case SweepKind::plan: return QObject::tr("%1 %").arg(std::lround(100 * PeakLimit::of(options.peak).share));
        case SweepKind::checkpointing: return QString::number(checkpointedBy(options.policies));
        case SweepKind::budget: break;
    }
    return QString::number(options.memoryBudget, 'f', 2);
}

QString tipOf(const Variant& variant) {
    QString tip = variant.name + u'\n' + differenceLine(variant, variant);
    if (variant.measured)
        tip += QObject::tr("\nmeasured %1, peak %2")
                   .arg(toQString(formatDuration(variant.measured->ms())),
                        toQString(formatBytes(variant.measured->peakBytes)));
    return tip;
}

}  // namespace

VariantController::VariantController(const Surroundings& around, WhatIfState& state)
    : Controller(around), state_(state), pareto_(new ParetoPanel(window_)) {
    connectPanels();
    for (BackgroundJob* job : {&sweeps_, &measurements_}) {
        forward(job);
        connect(job, &BackgroundJob::failed, this, [this] { toMeasure_.clear(); });
    }
}

void VariantController::connectPanels() {
    connect(pareto_, &ParetoPanel::measureRequested, this, &VariantController::measureSweep);
    connect(pareto_, &ParetoPanel::memoryChanged, this, &VariantController::refreshChart);
    connect(pareto_->chart(), &ParetoChart::markChosen, this, &VariantController::choose);
}

/// The marks of runs follow those of variants.
void VariantController::choose(int mark) {
    const auto at = static_cast<std::size_t>(mark);
    if (at < points_.size()) Q_EMIT chosen(variantOf(points_[at]));
    else Q_EMIT runChosen(runs_[at - points_.size()].number);
}

void VariantController::setRuns(std::vector<RunMark> runs) {
    runs_ = std::move(runs);
    refreshChart();
}

void VariantController::cancel() {
    toMeasure_.clear();
    sweeps_.cancel();
    measurements_.cancel();
}

// --- the list ---

void VariantController::clear() {
    cancel();
    variants_.clear();
    sweep_.clear();
    shown_ = -1;
    pareto_->showNote({});
    refresh();
}

void VariantController::take(std::vector<Variant> variants, std::vector<Variant> sweep) {
    variants_ = std::move(variants);
    sweep_ = std::move(sweep);
    if (!sweep_.empty()) notePoints();
}

/// Until those of an opened file are ready, they are in the file's content.
std::vector<SavedVariant> VariantController::kept() const {
    if (state_.whatIf) return savedFrom(std::span(variants_).subspan(1));
    return state_.session->saved() ? state_.session->saved()->variants : std::vector<SavedVariant>();
}

std::vector<SavedVariant> VariantController::swept() const {
    if (state_.whatIf) return savedFrom(sweep_);
    return state_.session->saved() ? state_.session->saved()->sweep : std::vector<SavedVariant>();
}

void VariantController::keep(const QString& name) {
    if (!state_.ready() || name.trimmed().isEmpty()) return;
    Variant variant = state_.shown;
    variant.name = name.trimmed();
    const auto known =
        std::find_if(variants_.begin() + 1, variants_.end(), [&](const Variant& v) { return v.name == variant.name; });
    if (known == variants_.end()) variants_.push_back(variant);
    else *known = variant;
    state_.shown.name = variant.name;
    shown_ = indexOfShown();
    refresh();
    Q_EMIT changed();
}

void VariantController::remove(const std::vector<int>& variants) {
    cancel();
    for (auto it = variants.rbegin(); it != variants.rend(); ++it)
        if (*it > 0) variants_.erase(variants_.begin() + *it);
    shown_ = indexOfShown();
    refresh();
    Q_EMIT changed();
}

/// By identity, else by equal partitions.
int VariantController::indexOfShown() const {
    const Variant& shown = state_.shown;
    for (std::size_t i = 0; i < variants_.size(); ++i)
        if (variants_[i].partition == shown.partition) return static_cast<int>(i);
    for (std::size_t i = 0; i < variants_.size(); ++i)
        if (sameFigures(variants_[i], shown) && aotscope::compare(*variants_[i].partition, *shown.partition).empty())
            return static_cast<int>(i);
    return -1;
}

void VariantController::recogniseShown() {
    shown_ = indexOfShown();
    if (shown_ < 0) return;
    state_.shown.name = variantAt(shown_).name;
    state_.shown.measured = variantAt(shown_).measured;
}

void VariantController::refresh() {
    enableWhatApplies();
    refreshChart();
    Q_EMIT listed();
}

void VariantController::enableWhatApplies() {
    const bool ready = state_.ready();
    pareto_->setEnabledFor(ready, ready && !sweep_.empty() && state_.session->whyNotExecutable().empty());
}

// --- memory against time ---

void VariantController::sweep(const PartitionOptions& options) {
    if (!state_.ready()) return;
    cancel();
    PartitionOptions base = options;
    base.algorithm = PartitionAlgorithm::minCut;
    sweeps_.start<std::vector<Variant>>(
        tr("Trying %1 memory budgets and %2 plans").arg(kSweepPoints).arg(kSweepPlans),
        [whatIf = state_.whatIf, base, times = *state_.times,
         record = state_.session->record()](const Progress& progress) {
            std::vector<Variant> variants;
            for (const ParetoPoint& point : whatIf->sweep(evenBudgets(kSweepPoints), base, progress)) {
                progress.throwIfCancelled();
                PartitionOptions own = base;
                own.memoryBudget = point.budget;
                Variant next = makeVariant(tr("budget %1").arg(point.budget, 0, 'f', 2), own, point.partition,
                                           record->knownMetadata(), times);
                // Budgets between two steps of the cut give the same partition.
                if (variants.empty() || !sameFigures(variants.back(), next)) variants.push_back(std::move(next));
            }
            const auto add = [&](const QString& name, const BudgetCosts& row) {
                variants.push_back(
                    makeVariant(name, optionsOf(row, base), row.partition, record->knownMetadata(), times));
            };
            for (const BudgetCosts& plan :
                 planCosts(*whatIf, kSweepPlans, base, record->knownMetadata(), times, progress))
                add(tr("plan %1").arg(plan.budget, 0, 'f', 2), plan);
            for (const BudgetCosts& row :
                 checkpointCosts(*whatIf, kSweepCheckpoints, base, record->knownMetadata(), times, progress))
                add(tr("checkpointing %1").arg(toQString(row.checkpointed)), row);
            return variants;
        },
        [this](std::vector<Variant> variants) {
            sweep_ = std::move(variants);
            notePoints();
            refresh();
            Q_EMIT changed();
        });
}

void VariantController::notePoints() {
    const auto of = [&](SweepKind kind) {
        return static_cast<std::size_t>(
            std::ranges::count(sweep_, kind, [](const Variant& variant) { return kindOf(variant.options); }));
    };
    pareto_->showNote(tr("%1 budgets, %2; %3; %4 with checkpointed modules; click a point to show its partition")
                          .arg(kSweepPoints)
                          .arg(toQString(counted(of(SweepKind::budget), "distinct partition")),
                               toQString(counted(of(SweepKind::plan), "plan")))
                          .arg(of(SweepKind::checkpointing)));
}

void VariantController::refreshChart() {
    points_.clear();
    std::vector<ParetoMark> marks;
    for (std::size_t i = 0; i < sweep_.size(); ++i) addMarks(sweep_[i], {true, i}, limitOf(sweep_[i].options), marks);
    for (std::size_t i = 0; i < variants_.size(); ++i) addMarks(variants_[i], {false, i}, variants_[i].name, marks);
    for (const RunMark& run : runs_) {
        const bool saved = pareto_->memory() == ParetoPanel::Memory::saved;
        ParetoMark mark;
        mark.megabytes = static_cast<double>(saved ? run.savedBytes : run.peakBytes) / kMegabyte;
        mark.ms = run.ms;
        mark.label = run.label;
        mark.tip = run.tip;
        mark.measured = run.measured;
        marks.push_back(mark);
    }
    const bool reliable = !state_.times || state_.times->basis() != TimeBasis::unreliable;
    pareto_->showMarks(std::move(marks), reliable ? tr("Time (ms)") : tr("Time (ms), unreliable"));
}

/// One as estimated; another as measured, if it was.
void VariantController::addMarks(const Variant& variant, const Measurement& measurement, const QString& label,
                                 std::vector<ParetoMark>& marks) {
    const bool saved = pareto_->memory() == ParetoPanel::Memory::saved;
    const auto bytes = saved ? variant.figures.savedBytes : variant.figures.peakBytes;
    ParetoMark mark;
    mark.megabytes = static_cast<double>(bytes) / kMegabyte;
    mark.ms = variant.figures.ms();
    mark.label = label;
    mark.tip = tipOf(variant);
    mark.kind = kindOf(variant.options);
    mark.chosen = state_.shown.partition && sameFigures(variant, state_.shown);
    marks.push_back(mark);
    points_.push_back(measurement);
    if (!variant.measured) return;
    mark.measured = true;
    mark.chosen = false;
    mark.label.clear();
    mark.ms = variant.measured->ms();
    if (!saved) mark.megabytes = static_cast<double>(variant.measured->peakBytes) / kMegabyte;
    marks.push_back(mark);
    points_.push_back(measurement);
}

void VariantController::exportChart(const QString& file) {
    const QString title = tr("%1: time against memory").arg(toQString(state_.session->record()->model.name));
    guarded([&] {
        writePlot(paretoPlot(pareto_->chart()->marks(), pareto_->chart()->axes(), title), file.toStdString(),
                  pareto_->chart()->theme());
    });
}

// --- measuring ---

void VariantController::learn(const TimingResult& timing) {
    auto times = std::make_shared<NodeTimes>(*state_.times);
    times->learn(timing);
    for (Variant* variant : {&state_.baseline, &state_.shown, &variants_.front()})
        if (variant->partition == variants_.front().partition) variant->measured = measuredFigures(timing);
    estimateFrom(times, tr("Estimating from measured times"));
}

void VariantController::estimateWith(const MachineModel& machine) {
    auto times = std::make_shared<NodeTimes>(*state_.times);
    times->setMachine(machine);
    estimateFrom(times, tr("Estimating again"));
}

void VariantController::estimateFrom(const std::shared_ptr<NodeTimes>& times, const QString& title) {
    const auto record = state_.session->record();
    times->setCosts(record->costs);
    state_.times = times;
    cancel();
    struct Estimated {
        std::array<std::vector<Variant>, 3> lists;
        std::shared_ptr<const PartitionWhatIf> whatIf;
    };
    sweeps_.start<Estimated>(
        title,
        [lists = std::array{variants_, sweep_, std::vector{state_.shown, state_.baseline}}, times, record,
         engine = engine_](const Progress& progress) {
            Estimated estimated{lists, whatIfWith(engine, *record, times->machine())};
            for (auto& list : estimated.lists)
                for (Variant& variant : list) {
                    progress.throwIfCancelled();
                    const auto measured = variant.measured;
                    variant =
                        makeVariant(variant.name, variant.options, variant.partition, record->knownMetadata(), *times);
                    variant.measured = measured;
                }
            return estimated;
        },
        [this](Estimated estimated) {
            auto& lists = estimated.lists;
            state_.whatIf = std::move(estimated.whatIf);
            variants_ = std::move(lists[0]);
            sweep_ = std::move(lists[1]);
            state_.shown = std::move(lists[2][0]);
            state_.baseline = std::move(lists[2][1]);
            refresh();
            Q_EMIT figuresChanged();
        });
}

void VariantController::measure(const std::vector<int>& variants) {
    for (const int v : variants) toMeasure_.push_back({false, static_cast<std::size_t>(v)});
    if (!measurements_.running()) measureNext();
}

void VariantController::measureSweep() {
    for (std::size_t i = 0; i < sweep_.size(); ++i)
        if (!sweep_[i].measured) toMeasure_.push_back({true, i});
    if (!measurements_.running()) measureNext();
}

/// Compiles the same model with the variant's partition and times it, as Time does for the shown one.
void VariantController::measureNext() {
    if (toMeasure_.empty()) return;
    const Measurement next = toMeasure_.front();
    toMeasure_.erase(toMeasure_.begin());
    measurements_.start<TimingResult>(
        tr("Measuring %1").arg(variantOf(next).name),
        [engine = engine_, options = withPartition(*state_.session, variantOf(next).options),
         session = state_.session](const Progress& progress) {
            return engine->open(options, progress, session)->time({kVariantRuns}, progress);
        },
        [this, next](const TimingResult& timing) { onMeasured(next, timing); });
}

void VariantController::onMeasured(const Measurement& measurement, const TimingResult& timing) {
    Variant& variant = variantOf(measurement);
    variant.measured = measuredFigures(timing);
    for (Variant* other : {&state_.shown, &state_.baseline})
        if (other->partition == variant.partition) other->measured = variant.measured;
    refresh();
    Q_EMIT figuresChanged();
    Q_EMIT changed();
    measureNext();
}

}  // namespace aotscope
