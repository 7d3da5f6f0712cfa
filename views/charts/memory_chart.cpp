#include "charts/memory_chart.h"

#include "charts/chart_labels.h"

#include <QAreaSeries>
#include <QLegendMarker>
#include <QLineSeries>
#include <QMouseEvent>
#include <QScatterSeries>
#include <QToolTip>
#include <algorithm>
#include <cmath>

namespace aotscope {

namespace {

/// The steps of one half as a staircase with the ground below it.
void addHalf(QChart& chart, const MemoryCurve& curve, bool backward, const QColor& colour) {
    auto* upper = new QLineSeries(&chart);
    for (std::size_t i = 0; i < curve.steps.size(); ++i) {
        if (curve.steps[i].backward != backward) continue;
        upper->append(static_cast<double>(i), curve.steps[i].megabytes);
        upper->append(static_cast<double>(i + 1), curve.steps[i].megabytes);
    }
    if (upper->count() == 0) return delete upper;
    auto* area = new QAreaSeries(upper);
    area->setName(backward ? QObject::tr("backward") : QObject::tr("forward"));
    QColor fill = colour;
    fill.setAlphaF(0.45F);
    area->setBrush(fill);
    area->setPen(QPen(colour, 1.3));
    upper->setParent(area);
    chart.addSeries(area);
}

/// What was measured, as a line over what was predicted.
void addMeasured(QChart& chart, const MemoryCurve& curve, const QColor& colour) {
    auto* line = new QLineSeries(&chart);
    for (std::size_t i = 0; i < curve.steps.size(); ++i) {
        if (curve.steps[i].measured < 0) continue;
        line->append(static_cast<double>(i), curve.steps[i].measured);
        line->append(static_cast<double>(i + 1), curve.steps[i].measured);
    }
    if (line->count() == 0) return delete line;
    line->setName(QObject::tr("measured"));
    line->setPen(QPen(colour, 1.5));
    chart.addSeries(line);
}

double highestOf(const MemoryCurve& curve) {
    double most = curve.steps[curve.peak].megabytes;
    for (const auto& step : curve.steps) most = std::max(most, step.measured);
    return most;
}

void addMark(QChart& chart, const MemoryCurve& curve, std::size_t step, const QString& name, const QColor& colour,
             QScatterSeries::MarkerShape shape) {
    auto* series = new QScatterSeries(&chart);
    series->setName(name);
    series->setMarkerShape(shape);
    series->setMarkerSize(10);
    series->setColor(colour);
    series->setBorderColor(colour);
    series->append(static_cast<double>(step) + 0.5, curve.steps[step].megabytes);
    chart.addSeries(series);
}

}  // namespace

std::unique_ptr<QChart> makeMemoryChart(const MemoryCurve& curve, int chosen, const QString& title,
                                        const ChartStyle& style) {
    auto chart = std::make_unique<QChart>();
    applyStyle(*chart, style);
    chart->setTitle(title);
    if (curve.steps.empty()) return chart;
    addHalf(*chart, curve, false, style.forward);
    addHalf(*chart, curve, true, style.backward);
    addMeasured(*chart, curve, style.measured);
    const auto& highest = curve.steps[curve.peak];
    addMark(*chart, curve, curve.peak, QObject::tr("peak"), style.peak, QScatterSeries::MarkerShapeTriangle);
    if (chosen >= 0 && static_cast<std::size_t>(chosen) != curve.peak)
        addMark(*chart, curve, static_cast<std::size_t>(chosen), QObject::tr("listed"), style.text,
                QScatterSeries::MarkerShapeRotatedRectangle);
    auto* x = addAxis(*chart, Qt::AlignBottom, QObject::tr("Operations in the order in which they run"), 0,
                      static_cast<double>(curve.steps.size()), style);
    auto* y = addAxis(*chart, Qt::AlignLeft, QObject::tr("In use (MB)"), 0, highestOf(curve) * 1.08, style);
    x->setLabelFormat(QStringLiteral("%.0f"));
    for (QAbstractSeries* series : chart->series()) {
        series->attachAxis(x);
        series->attachAxis(y);
        if (const auto* area = qobject_cast<QAreaSeries*>(series))
            for (QLegendMarker* marker : chart->legend()->markers(series)) {
                marker->setShape(QLegend::MarkerShapeRectangle);
                marker->setBrush(area->pen().color());
                marker->setPen(area->pen());
            }
    }
    auto* labels = new ChartLabels(*chart, style.text);
    labels->add({static_cast<double>(curve.peak) + 0.5, highest.megabytes},
                QObject::tr("%1 MB at %2").arg(highest.megabytes, 0, 'f', 1).arg(highest.name));
    labels->place();
    return chart;
}

MemoryChart::MemoryChart(QWidget* parent) : QChartView(parent) {
    setObjectName(QStringLiteral("memoryChart"));
    setAccessibleName(tr("Memory in use over forward and backward"));
    setRenderHint(QPainter::Antialiasing);
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
}

void MemoryChart::setCurve(MemoryCurve curve) {
    curve_ = std::move(curve);
    chosen_ = -1;
    rebuild();
}

void MemoryChart::setTheme(const Theme& theme) {
    theme_ = theme;
    rebuild();
}

void MemoryChart::setChosen(int step) {
    if (step == chosen_) return;
    chosen_ = step;
    rebuild();
}

void MemoryChart::showEvent(QShowEvent* event) {
    QChartView::showEvent(event);
    if (outdated_) rebuild();
}

/// A chart takes some milliseconds: one that nobody sees is not made.
void MemoryChart::rebuild() {
    outdated_ = !isVisible();
    if (outdated_) return;
    auto next = makeMemoryChart(curve_, chosen_, {}, ChartStyle(theme_));
    setChart(next.get());
    setBackgroundBrush(theme_.background);
    shown_ = std::move(next);
}

QPoint MemoryChart::placeOf(std::size_t step) const {
    const QPointF at(static_cast<double>(step) + 0.5, curve_.steps[step].megabytes);
    return mapFromScene(chart()->mapToScene(chart()->mapToPosition(at)));
}

int MemoryChart::stepAt(QPoint place) const {
    const QPointF inChart = chart()->mapFromScene(mapToScene(place));
    if (curve_.steps.empty() || !chart()->plotArea().contains(inChart)) return -1;
    const double step = std::floor(chart()->mapToValue(inChart).x());
    return step < 0 || step >= static_cast<double>(curve_.steps.size()) ? -1 : static_cast<int>(step);
}

void MemoryChart::mouseReleaseEvent(QMouseEvent* event) {
    QChartView::mouseReleaseEvent(event);
    if (const int step = stepAt(event->pos()); event->button() == Qt::LeftButton && step >= 0) Q_EMIT stepChosen(step);
}

void MemoryChart::mouseMoveEvent(QMouseEvent* event) {
    QChartView::mouseMoveEvent(event);
    const int at = stepAt(event->pos());
    if (at < 0) return QToolTip::hideText();
    const auto& step = curve_.steps[static_cast<std::size_t>(at)];
    QToolTip::showText(event->globalPosition().toPoint(),
                       tr("%1, %2: %3 MB%4")
                           .arg(step.name, step.backward ? tr("backward") : tr("forward"))
                           .arg(step.megabytes, 0, 'f', 2)
                           .arg(step.measured < 0 ? QString() : tr(", measured %1 MB").arg(step.measured, 0, 'f', 2)),
                       this);
}

}  // namespace aotscope
