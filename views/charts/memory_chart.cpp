#include "charts/memory_chart.h"

#include "canvas/drawn_graph.h"
#include "support/formatted.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
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
    plot.x = {
        QObject::tr("Operations in execution order"), {0, static_cast<double>(curve.steps.size())}, AxisNumbers::whole};
    plot.y = {QObject::tr("Live memory (%1)").arg(unit.name), plot.heightsIn(plot.x.range)};
    return plot;
}

MemoryChart::MemoryChart(QWidget* parent)
    : PlotView(QStringLiteral("memoryChart"), tr("Live memory over forward and backward"), Zoom::along, parent) {}

void MemoryChart::setCurve(MemoryCurve curve) {
    curve_ = std::move(curve);
    chosen_ = -1;
    range_.reset();
    anchor_ = head_ = -1;
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

void MemoryChart::choose(int stop) {
    unmark();
    Q_EMIT stepChosen(stop);
}

// --- ranges ---

int MemoryChart::nearestStep(QPointF place) const {
    return std::clamp(static_cast<int>(std::floor(frame().value(place).x())), 0, stopCount() - 1);
}

void MemoryChart::mark(int from, int to) {
    anchor_ = from;
    head_ = to;
    range_ = std::minmax(from, to);
    update();
}

void MemoryChart::unmark() {
    anchor_ = head_ = -1;
    if (!std::exchange(range_, std::nullopt)) return;
    update();
    Q_EMIT rangeChanged();
}

void MemoryChart::paintEvent(QPaintEvent* event) {
    PlotView::paintEvent(event);
    if (!range_) return;
    const PlotFrame seen = frame();
    const double left = seen.place({static_cast<double>(range_->first), seen.y.low}).x(),
                 right = seen.place({range_->second + 1.0, seen.y.low}).x();
    QPainter painter(this);
    painter.setClipRect(seen.area);
    paintMarked(painter, {left, seen.area.top(), right - left, seen.area.height()}, theme());
}

void MemoryChart::mousePressEvent(QMouseEvent* event) {
    marking_ = event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::ShiftModifier) && stopCount() > 0;
    if (!marking_) return PlotView::mousePressEvent(event);
    const int step = nearestStep(event->position());
    mark(step, step);
}

void MemoryChart::mouseMoveEvent(QMouseEvent* event) {
    if (!marking_) return PlotView::mouseMoveEvent(event);
    mark(anchor_, nearestStep(event->position()));
}

void MemoryChart::mouseReleaseEvent(QMouseEvent* event) {
    if (std::exchange(marking_, false)) Q_EMIT rangeChanged();
    else PlotView::mouseReleaseEvent(event);
}

void MemoryChart::keyPressEvent(QKeyEvent* event) {
    const int direction = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    if (direction != 0 && stopCount() > 0 && event->modifiers().testFlag(Qt::ShiftModifier)) {
        const int first = current() >= 0 ? current() : std::max(chosen_, 0);
        if (anchor_ < 0) mark(first, first);
        else mark(anchor_, std::clamp(head_ + direction, 0, stopCount() - 1));
        Q_EMIT rangeChanged();
    } else if (event->key() == Qt::Key_Escape && range_) {
        unmark();
    } else {
        PlotView::keyPressEvent(event);
    }
}

}  // namespace aotscope
