// Variants of the partition: kept, compared, swept over budgets, measured.

#include "charts/chart_file.h"
#include "controllers/what_if_answers.h"
#include "controllers/what_if_controller.h"
#include "io/text_report.h"
#include "models/variant_tables.h"
#include "partition/pareto.h"

#include <QFileDialog>
#include <algorithm>
#include <array>

namespace aotscope {

namespace {

constexpr int kSweepPoints = 20;
constexpr int kVariantRuns = 5;
constexpr double kMegabyte = 1e6;

bool sameFigures(const Variant& a, const Variant& b) {
    return a.figures.savedBytes == b.figures.savedBytes && a.figures.recomputedValues == b.figures.recomputedValues &&
           a.figures.peakBytes == b.figures.peakBytes;
}

QString tipOf(const Variant& variant) {
    QString tip = variant.name + u'\n' + differenceLine(variant, variant);
    if (variant.measured)
        tip +=
            QObject::tr("\nmeasured %1 ms, peak %2")
                .arg(toQString(formatMs(variant.measured->ms())), toQString(formatBytes(variant.measured->peakBytes)));
    return tip;
}

}  // namespace

void WhatIfController::keep(const QString& name) {
    if (!ready() || name.trimmed().isEmpty()) return;
    Variant variant = shown_;
    variant.name = name.trimmed();
    const auto known =
        std::find_if(variants_.begin() + 1, variants_.end(), [&](const Variant& v) { return v.name == variant.name; });
    if (known == variants_.end()) variants_.push_back(variant);
    else *known = variant;
    shown_.name = variant.name;
    shownIndex_ = shownVariant();
    refreshVariants();
    refreshPareto();
    Q_EMIT variantsChanged();
}

/// Until those of an opened file are there, they are in the file's content.
std::vector<SavedVariant> WhatIfController::keptVariants() const {
    if (laboratory_) return savedFrom(std::span(variants_).subspan(1));
    return session_->saved() ? session_->saved()->variants : std::vector<SavedVariant>();
}

std::vector<SavedVariant> WhatIfController::sweptVariants() const {
    if (laboratory_) return savedFrom(sweep_);
    return session_->saved() ? session_->saved()->sweep : std::vector<SavedVariant>();
}

void WhatIfController::showVariant(int variant) {
    const Variant& v = variants_[static_cast<std::size_t>(variant)];
    change(v.options, tr("show %1").arg(v.name), false);
}

void WhatIfController::compareVariants(int before, int after) {
    baseline_ = variants_[static_cast<std::size_t>(before)];
    const Variant& v = variants_[static_cast<std::size_t>(after)];
    change(v.options, tr("compare %1 with %2").arg(v.name, baseline_.name), false);
}

void WhatIfController::removeVariants(const std::vector<int>& variants) {
    cancel();
    for (auto it = variants.rbegin(); it != variants.rend(); ++it)
        if (*it > 0) variants_.erase(variants_.begin() + *it);
    shownIndex_ = shownVariant();
    refreshVariants();
    refreshPareto();
    Q_EMIT variantsChanged();
}

/// The variant whose partition is shown: by identity, else by what it does.
int WhatIfController::shownVariant() const {
    for (std::size_t i = 0; i < variants_.size(); ++i)
        if (variants_[i].partition == shown_.partition) return static_cast<int>(i);
    for (std::size_t i = 0; i < variants_.size(); ++i)
        if (sameFigures(variants_[i], shown_) && compare(*variants_[i].partition, *shown_.partition).empty())
            return static_cast<int>(i);
    return -1;
}

void WhatIfController::refreshVariants() {
    variantPanel_->setEnabled(ready());
    variantPanel_->showVariants(variants_, shownIndex_);
}

// --- memory against time ---

void WhatIfController::sweep() {
    if (!ready()) return;
    cancel();
    PartitionOptions options = options_;
    options.algorithm = PartitionAlgorithm::minCut;
    sweeps_.start<std::vector<Variant>>(
        tr("Trying %1 memory budgets").arg(kSweepPoints),
        [laboratory = laboratory_, options, times = *times_, record = session_->record()](const Progress& progress) {
            std::vector<Variant> variants;
            for (const ParetoPoint& point : laboratory->sweep(evenBudgets(kSweepPoints), options, progress)) {
                progress.throwIfCancelled();
                PartitionOptions own = options;
                own.memoryBudget = point.budget;
                Variant next = makeVariant(tr("budget %1").arg(point.budget, 0, 'f', 2), own, point.partition,
                                           record->knownMetadata(), times);
                // Budgets between two steps of the cut make one and the same partition.
                if (variants.empty() || !sameFigures(variants.back(), next)) variants.push_back(std::move(next));
            }
            return variants;
        },
        [this](std::vector<Variant> variants) {
            sweep_ = std::move(variants);
            notePoints();
            refreshPareto();
            enableWhatApplies();
            Q_EMIT variantsChanged();
        });
}

void WhatIfController::notePoints() {
    pareto_->showNote(
        tr("%1 budgets, %2 different partitions; click a point to see it").arg(kSweepPoints).arg(sweep_.size()));
}

void WhatIfController::refreshPareto() {
    points_.clear();
    std::vector<ParetoMark> marks;
    const bool saved = pareto_->memory() == ParetoPanel::Memory::saved;
    const auto add = [&](const Variant& variant, const Measurement& measurement, const QString& label) {
        const auto bytes = saved ? variant.figures.savedBytes : variant.figures.peakBytes;
        ParetoMark mark;
        mark.megabytes = static_cast<double>(bytes) / kMegabyte;
        mark.ms = variant.figures.ms();
        mark.label = label;
        mark.tip = tipOf(variant);
        mark.chosen = shown_.partition && sameFigures(variant, shown_);
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
    };
    for (std::size_t i = 0; i < sweep_.size(); ++i)
        add(sweep_[i], {true, i}, QString::number(sweep_[i].options.memoryBudget, 'f', 2));
    for (std::size_t i = 0; i < variants_.size(); ++i) add(variants_[i], {false, i}, variants_[i].name);
    pareto_->showMarks(std::move(marks), tr("Time (ms)"));
}

void WhatIfController::choosePoint(int mark) {
    const Variant& variant = variantOf(points_[static_cast<std::size_t>(mark)]);
    change(variant.options, tr("show %1").arg(variant.name), false);
}

void WhatIfController::exportPareto(const QString& file) {
    const QString title = tr("%1: memory against time").arg(toQString(session_->record()->model.name));
    writeChart(paretoPlot(pareto_->chart()->marks(), pareto_->chart()->axes(), title), file);
}

void WhatIfController::exportMemory(const QString& file) {
    const QString title = tr("%1: live memory").arg(toQString(session_->record()->model.name));
    writeChart(memoryPlot(memory_->chart()->curve(), -1, title), file);
}

void WhatIfController::writeChart(const Plot& plot, const QString& file) {
    try {
        writePlot(plot, file.toStdString(), pane_->view()->paintOptions().theme);
    } catch (...) {
        Q_EMIT failed(std::current_exception());
    }
}

// --- measuring ---

void WhatIfController::learn(const TimingResult& timing) {
    if (!ready()) return;
    auto times = std::make_shared<NodeTimes>(*times_);
    times->learn(timing);
    times_ = times;
    for (Variant* variant : {&baseline_, &shown_, &variants_.front()})
        if (variant->partition == variants_.front().partition) variant->measured = measuredFigures(timing);
    cancel();
    using Lists = std::array<std::vector<Variant>, 3>;
    sweeps_.start<Lists>(
        tr("Estimating from measured times"),
        [lists = Lists{variants_, sweep_, {shown_, baseline_}}, times,
         record = session_->record()](const Progress& progress) {
            Lists estimated = lists;
            for (auto& list : estimated)
                for (Variant& variant : list) {
                    progress.throwIfCancelled();
                    const auto measured = variant.measured;
                    variant =
                        makeVariant(variant.name, variant.options, variant.partition, record->knownMetadata(), *times);
                    variant.measured = measured;
                }
            return estimated;
        },
        [this](Lists lists) {
            variants_ = std::move(lists[0]);
            sweep_ = std::move(lists[1]);
            shown_ = std::move(lists[2][0]);
            baseline_ = std::move(lists[2][1]);
            refreshFigures();
        });
}

/// Numbers have changed, not the partitions.
void WhatIfController::refreshFigures() {
    if (shown_.partition && baseline_.partition)
        difference_->left()->setContent(
            differenceTable(baseline_, shown_, compare(*baseline_.partition, *shown_.partition)));
    memory_->showMemory(shown_.memory, shown_.measured);
    refreshVariants();
    refreshPareto();
}

void WhatIfController::measure(const std::vector<int>& variants) {
    for (const int v : variants) toMeasure_.push_back({false, static_cast<std::size_t>(v)});
    if (!measurements_.running()) measureNext();
}

void WhatIfController::measureSweep() {
    for (std::size_t i = 0; i < sweep_.size(); ++i)
        if (!sweep_[i].measured) toMeasure_.push_back({true, i});
    if (!measurements_.running()) measureNext();
}

/// Compiles the same model with the variant's partition and times that, as Time does for the shown one.
void WhatIfController::measureNext() {
    if (toMeasure_.empty()) return;
    const Measurement next = toMeasure_.front();
    toMeasure_.erase(toMeasure_.begin());
    Options options = session_->options();
    options.partition = variantOf(next).options;
    measurements_.start<TimingResult>(
        tr("Measuring %1").arg(variantOf(next).name),
        [options, session = session_](const Progress& progress) {
            return Session::open(options, progress, session)->time({kVariantRuns}, progress);
        },
        [this, next](const TimingResult& timing) { onMeasured(next, timing); });
}

void WhatIfController::onMeasured(const Measurement& measurement, const TimingResult& timing) {
    Variant& variant = variantOf(measurement);
    variant.measured = measuredFigures(timing);
    for (Variant* other : {&shown_, &baseline_})
        if (other->partition == variant.partition) other->measured = variant.measured;
    refreshFigures();
    Q_EMIT variantsChanged();
    measureNext();
}

}  // namespace aotscope
