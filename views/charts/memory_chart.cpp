#include "charts/memory_chart.h"

#include "canvas/drawn_graph.h"
#include "support/formatted.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace aotscope {

namespace {

QString bytesText(double megabytes) {
    constexpr double megabyte = 1e6;
    return toQString(formatBytes(std::llround(megabytes * megabyte)));
}

/// A range that fits the highest step.
struct Unit {
    QString name;
    double inMegabyte = 1;
};

Unit unitOf(const MemoryCurve& curve) {
    double most = 0;
    for (const auto& step : curve.steps) most = std::max({most, step.megabytes, step.measured});
    if (most >= 1000) return {QStringLiteral("GB"), 1e-3};
    if (most >= 1 || most == 0) return {QStringLiteral("MB"), 1};
    return {QStringLiteral("kB"), 1e3};
}

/// A staircase: each step is one operation wide. NaN: no line there.
PlotSeries staircase(const MemoryCurve& curve, const QString& name, QColor Theme::*colour, const auto& heightOf) {
    PlotSeries series;
    series.name = name;
    series.colour = colour;
    for (std::size_t i = 0; i < curve.steps.size(); ++i) {
        const double height = heightOf(curve.steps[i]);
        if (std::isnan(height) && series.points.empty()) continue;
        series.points.emplace_back(static_cast<double>(i), height);
        series.points.emplace_back(static_cast<double>(i + 1), height);
    }
    return series;
}

constexpr double kNowhere = std::numeric_limits<double>::quiet_NaN();

PlotSeries half(const MemoryCurve& curve, bool backward, double scale) {
    PlotSeries series = staircase(
        curve, backward ? QObject::tr("backward") : QObject::tr("forward"),
        backward ? &Theme::backwardCurve : &Theme::forwardCurve,
        [&](const MemoryCurve::Step& step) { return step.backward == backward ? step.megabytes * scale : kNowhere; });
    series.kind = PlotSeries::Kind::area;
    return series;
}

PlotSeries mark(const MemoryCurve& curve, std::size_t step, double scale, const QString& name, QColor Theme::*colour,
                PlotSeries::Mark shape) {
    PlotSeries series;
    series.name = name;
    series.kind = PlotSeries::Kind::marks;
    series.mark = shape;
    series.colour = colour;
    series.size = 10;
    series.points = {{static_cast<double>(step) + 0.5, curve.steps[step].megabytes * scale}};
    return series;
}

}  // namespace

Plot memoryPlot(const MemoryCurve& curve, int chosen, const QString& title) {
    Plot plot;
    plot.title = title;
    if (curve.steps.empty()) return plot;
    const Unit unit = unitOf(curve);
    plot.series = {
        half(curve, false, unit.inMegabyte), half(curve, true, unit.inMegabyte),
        staircase(curve, QObject::tr("measured"), &Theme::measured,
                  [&](const MemoryCurve::Step& step) {
                      return step.measured < 0 ? kNowhere : step.measured * unit.inMegabyte;
                  }),
        mark(curve, curve.peak, unit.inMegabyte, QObject::tr("peak"), &Theme::selection, PlotSeries::Mark::triangle)};
    if (chosen >= 0 && static_cast<std::size_t>(chosen) != curve.peak)
        plot.series.push_back(mark(curve, static_cast<std::size_t>(chosen), unit.inMegabyte, QObject::tr("listed"),
                                   &Theme::text, PlotSeries::Mark::diamond));
    const auto& highest = curve.steps[curve.peak];
    plot.labels = {
        {plot.series[3].points.front(), QObject::tr("%1 at %2").arg(bytesText(highest.megabytes), highest.name)}};
    plot.headroom = 0.25;  // for that label
    plot.x = {QObject::tr("Operations in execution order"), {0, static_cast<double>(curve.steps.size())}, true};
    plot.y = {QObject::tr("Live memory (%1)").arg(unit.name), plot.heightsIn(plot.x.range)};
    return plot;
}

MemoryChart::MemoryChart(QWidget* parent)
    : PlotView(QStringLiteral("memoryChart"), tr("Live memory over forward and backward"), Zoom::along, parent) {}

void MemoryChart::setCurve(MemoryCurve curve) {
    curve_ = std::move(curve);
    chosen_ = -1;
    setPlot(memoryPlot(curve_, chosen_, {}), false);
}

void MemoryChart::setChosen(int step) {
    if (step == chosen_) return;
    chosen_ = step;
    setPlot(memoryPlot(curve_, chosen_, {}), true);
}

QPoint MemoryChart::placeOf(std::size_t step) const {
    return frame().place(pointsOf(static_cast<int>(step)).front()).toPoint();
}

int MemoryChart::stopAt(QPointF place) const {
    const PlotFrame seen = frame();
    if (stopCount() == 0 || !seen.area.contains(place)) return -1;
    return std::clamp(static_cast<int>(std::floor(seen.value(place).x())), 0, stopCount() - 1);
}

std::vector<QPointF> MemoryChart::pointsOf(int stop) const {
    const MemoryCurve::Step& step = curve_.steps[static_cast<std::size_t>(stop)];
    const double scale = unitOf(curve_).inMegabyte;
    std::vector<QPointF> points = {{stop + 0.5, step.megabytes * scale}};
    if (step.measured >= 0) points.emplace_back(stop + 0.5, step.measured * scale);
    return points;
}

QString MemoryChart::tipOf(int stop) const {
    const MemoryCurve::Step& step = curve_.steps[static_cast<std::size_t>(stop)];
    return tr("%1, %2: %3%4")
        .arg(step.name, step.backward ? tr("backward") : tr("forward"), bytesText(step.megabytes),
             step.measured < 0 ? QString() : tr(", measured %1").arg(bytesText(step.measured)));
}

}  // namespace aotscope
