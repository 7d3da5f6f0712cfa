#include "charts/pareto_chart.h"

#include "charts/chart_labels.h"

#include <QLegendMarker>
#include <QLineSeries>
#include <QMouseEvent>
#include <QScatterSeries>
#include <QToolTip>
#include <algorithm>
#include <cmath>

namespace aotscope {

namespace {

constexpr int kReach = 12;  ///< pixels from a point at which it is meant
constexpr qreal kMarkSize = 9;

QScatterSeries* addPoints(QChart& chart, const QString& name, const QColor& fill, const QColor& border,
                          QScatterSeries::MarkerShape shape, qreal size) {
    auto* series = new QScatterSeries(&chart);
    series->setName(name);
    series->setMarkerShape(shape);
    series->setMarkerSize(size);
    series->setColor(fill);
    series->setBorderColor(border);
    chart.addSeries(series);
    return series;
}

}  // namespace

std::unique_ptr<QChart> makeParetoChart(const std::vector<ParetoMark>& marks, const ParetoAxes& axes,
                                        const QString& title, const ChartStyle& style) {
    auto chart = std::make_unique<QChart>();
    applyStyle(*chart, style);
    chart->setTitle(title);
    if (marks.empty()) return chart;

    auto* line = new QLineSeries(chart.get());
    line->setPen(QPen(style.estimated, 1.6));
    chart->addSeries(line);
    auto* around = addPoints(*chart, QObject::tr("shown now"), Qt::transparent, style.chosen,
                             QScatterSeries::MarkerShapeCircle, kMarkSize + 8);
    around->setPen(QPen(style.chosen, 2));
    auto* estimated = addPoints(*chart, QObject::tr("estimated"), style.estimated, style.background,
                                QScatterSeries::MarkerShapeCircle, kMarkSize);
    auto* measured = addPoints(*chart, QObject::tr("measured"), style.measured, style.background,
                               QScatterSeries::MarkerShapeRotatedRectangle, kMarkSize + 3);
    std::vector<QPointF> path;
    for (const ParetoMark& mark : marks) {
        const QPointF at(mark.megabytes, mark.ms);
        (mark.measured ? measured : estimated)->append(at);
        if (mark.chosen) around->append(at);
        if (!mark.measured) path.push_back(at);
    }
    std::sort(path.begin(), path.end(),
              [](QPointF a, QPointF b) { return a.x() < b.x() || (a.x() == b.x() && a.y() > b.y()); });
    for (const QPointF& at : path) line->append(at);

    const auto less = [](auto member) {
        return [member](const ParetoMark& a, const ParetoMark& b) { return a.*member < b.*member; };
    };
    const auto [leastMb, mostMb] = std::minmax_element(marks.begin(), marks.end(), less(&ParetoMark::megabytes));
    const auto [leastMs, mostMs] = std::minmax_element(marks.begin(), marks.end(), less(&ParetoMark::ms));
    const double span = std::max(mostMs->ms - leastMs->ms, mostMs->ms * 0.02);
    const double width = std::max(mostMb->megabytes - leastMb->megabytes, mostMb->megabytes * 0.02);
    auto* x = addAxis(*chart, Qt::AlignBottom, axes.memory, leastMb->megabytes - width * 0.04,
                      mostMb->megabytes + width * 0.04, style);
    auto* y = addAxis(*chart, Qt::AlignLeft, axes.time, std::max(0.0, leastMs->ms - span * 0.15),
                      mostMs->ms + span * 0.2, style);
    for (QAbstractSeries* series : chart->series()) {
        series->attachAxis(x);
        series->attachAxis(y);
        const auto* points = qobject_cast<QScatterSeries*>(series);
        for (QLegendMarker* marker : chart->legend()->markers(series))
            marker->setVisible(points && points->count() > 0);
    }
    auto* labels = new ChartLabels(*chart, style.faintText);
    for (const ParetoMark& mark : marks)
        if (mark.chosen && !mark.label.isEmpty()) labels->add({mark.megabytes, mark.ms}, mark.label);
    for (const ParetoMark& mark : marks)
        if (!mark.chosen && !mark.label.isEmpty()) labels->add({mark.megabytes, mark.ms}, mark.label);
    labels->place();
    return chart;
}

ParetoChart::ParetoChart(QWidget* parent) : QChartView(parent) {
    setObjectName(QStringLiteral("paretoChart"));
    setAccessibleName(tr("Memory against time"));
    setRenderHint(QPainter::Antialiasing);
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
}

void ParetoChart::setMarks(std::vector<ParetoMark> marks, const ParetoAxes& axes) {
    marks_ = std::move(marks);
    axes_ = axes;
    rebuild();
}

void ParetoChart::setTheme(const Theme& theme) {
    theme_ = theme;
    rebuild();
}

void ParetoChart::showEvent(QShowEvent* event) {
    QChartView::showEvent(event);
    if (outdated_) rebuild();
}

/// A chart takes some milliseconds: one that nobody sees is not made.
void ParetoChart::rebuild() {
    outdated_ = !isVisible();
    if (outdated_) return;
    auto next = makeParetoChart(marks_, axes_, {}, ChartStyle(theme_));
    setChart(next.get());
    setBackgroundBrush(theme_.background);
    shown_ = std::move(next);
}

QPoint ParetoChart::placeOf(std::size_t mark) const {
    const QPointF at(marks_[mark].megabytes, marks_[mark].ms);
    return mapFromScene(chart()->mapToScene(chart()->mapToPosition(at)));
}

int ParetoChart::markAt(QPoint place) const {
    int best = -1, bestDistance = kReach + 1;
    for (std::size_t i = 0; i < marks_.size(); ++i) {
        const int distance = (placeOf(i) - place).manhattanLength();
        if (distance < bestDistance) best = static_cast<int>(i), bestDistance = distance;
    }
    return best;
}

void ParetoChart::mouseReleaseEvent(QMouseEvent* event) {
    QChartView::mouseReleaseEvent(event);
    if (const int mark = markAt(event->pos()); event->button() == Qt::LeftButton && mark >= 0) Q_EMIT markChosen(mark);
}

void ParetoChart::mouseMoveEvent(QMouseEvent* event) {
    QChartView::mouseMoveEvent(event);
    const int mark = markAt(event->pos());
    viewport()->setCursor(mark >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (mark < 0) QToolTip::hideText();
    else QToolTip::showText(event->globalPosition().toPoint(), marks_[static_cast<std::size_t>(mark)].tip, this);
}

}  // namespace aotscope
