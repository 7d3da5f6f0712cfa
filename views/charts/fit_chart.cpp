#include "charts/fit_chart.h"

#include "models/words/to_qstring.h"
#include "support/formatted.h"

#include <algorithm>

namespace aotscope {

namespace {

constexpr double kGigabyte = 1e9, kDot = 7;

double gigabytes(std::int64_t bytes) { return static_cast<double>(bytes) / kGigabyte; }

QPointF peakAt(const BatchStep& row) { return {static_cast<double>(row.batch), gigabytes(row.step.peakBytes())}; }

template <typename Bytes>
PlotSeries curveOf(const BatchSearch& found, const QString& name, QColor Theme::*colour, Bytes&& bytes) {
    PlotSeries series;
    series.name = name;
    series.colour = colour;
    for (const BatchStep& row : found.rows)
        series.points.emplace_back(static_cast<double>(row.batch), gigabytes(bytes(row.step)));
    return series;
}

}  // namespace

Plot fitPlot(const BatchSearch& found, std::int64_t shown, const QString& title) {
    Plot plot;
    plot.title = title;
    if (found.rows.empty()) return plot;
    const auto first = static_cast<double>(found.rows.front().batch),
               last = static_cast<double>(found.rows.back().batch);
    plot.x = {QObject::tr("Batch"), last > first ? AxisRange{first, last} : AxisRange{first - 0.5, first + 0.5},
              AxisNumbers::whole};
    PlotSeries lasting = curveOf(found, QObject::tr("parameters and states"), &Theme::savedBorder,
                                 [](const TrainingStep& step) { return step.lastingBytes(); });
    lasting.kind = PlotSeries::Kind::area;
    PlotSeries limit;
    limit.name = QObject::tr("memory");
    limit.colour = &Theme::text;
    limit.dashed = true;
    limit.points = {{plot.x.range.low, gigabytes(found.limit)}, {plot.x.range.high, gigabytes(found.limit)}};
    PlotSeries peaks =
        PlotSeries::marks(QObject::tr("peak of the step"), PlotSeries::Mark::circle, &Theme::estimated, kDot);
    PlotSeries around = PlotSeries::marks(QObject::tr("shown"), PlotSeries::Mark::ring, &Theme::selection, kDot + 6);
    for (const BatchStep& row : found.rows) {
        peaks.points.push_back(peakAt(row));
        if (row.batch == shown) around.points.push_back(peakAt(row));
    }
    const auto peaksIn = [&](StepPhase phase, const QString& name, QColor Theme::*colour) {
        return curveOf(found, name, colour, [phase](const TrainingStep& step) { return step.peakIn(phase); });
    };
    plot.series = {lasting,
                   peaksIn(StepPhase::forward, QObject::tr("forward"), &Theme::forwardCurve),
                   peaksIn(StepPhase::loss, QObject::tr("loss"), &Theme::recomputedRung),
                   peaksIn(StepPhase::backward, QObject::tr("backward"), &Theme::backwardCurve),
                   peaksIn(StepPhase::update, QObject::tr("update"), &Theme::measured),
                   limit,
                   around,
                   peaks};
    double highest = 0;
    for (const BatchStep& row : found.rows) highest = std::max(highest, gigabytes(row.step.peakBytes()));
    // A limit far above the curves would press them to the ground.
    if (gigabytes(found.limit) < 2 * highest) highest = std::max(highest, gigabytes(found.limit));
    plot.y = {QObject::tr("Memory (GB)"), AxisRange::spanning(0, highest * 1.1)};
    return plot;
}

FitChart::FitChart(QWidget* parent)
    : PlotView(QStringLiteral("fitChart"), tr("Memory of a training step by batch"), Zoom::both, parent) {}

void FitChart::show(BatchSearch found, std::int64_t shown) {
    found_ = std::move(found);
    const bool curve = found_.rows.size() > 1 || (!found_.rows.empty() && found_.rows.front().batch > 0);
    Plot next = curve ? fitPlot(found_, shown, {}) : Plot();
    const bool same = next.x.range == plot().x.range && next.y.range == plot().y.range;
    setPlot(std::move(next), same);
}

std::vector<QPointF> FitChart::pointsOf(int stop) const { return {peakAt(row(stop))}; }

QString FitChart::tipOf(int stop) const {
    const TrainingStep& step = row(stop).step;
    return tr("batch %1: %2 in the %3, %4 a step")
        .arg(row(stop).batch)
        .arg(toQString(formatBytes(step.peakBytes())), toQString(name(step.peakPhase())),
             toQString(timeText(step.ms(), step.basis)));
}

void FitChart::choose(int stop) { Q_EMIT batchChosen(row(stop).batch); }

}  // namespace aotscope
