#include "charts/pareto_chart.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace aotscope {

namespace {

constexpr double kMarkSize = 9;

QPointF pointOf(const ParetoMark& mark) { return {mark.megabytes, mark.ms}; }

std::vector<PlotSeries> seriesOf(const std::vector<ParetoMark>& marks) {
    using Mark = PlotSeries::Mark;
    PlotSeries line;  // through what nothing beats in both memory and time
    PlotSeries around = PlotSeries::marks(QObject::tr("shown"), Mark::ring, &Theme::selection, kMarkSize + 6);
    PlotSeries estimated = PlotSeries::marks(QObject::tr("estimated"), Mark::circle, &Theme::estimated, kMarkSize);
    PlotSeries planned =
        PlotSeries::marks(QObject::tr("planned"), Mark::triangle, &Theme::recomputedRung, kMarkSize + 2);
    PlotSeries checkpointed =
        PlotSeries::marks(QObject::tr("checkpointed modules"), Mark::square, &Theme::backwardCurve, kMarkSize - 1);
    PlotSeries measured = PlotSeries::marks(QObject::tr("measured"), Mark::diamond, &Theme::measured, kMarkSize + 3);
    for (const ParetoMark& mark : marks) {
        const QPointF at = pointOf(mark);
        const auto seriesFor = [&]() -> PlotSeries& {
            if (mark.measured) return measured;
            if (mark.kind == SweepKind::plan) return planned;
            return mark.kind == SweepKind::checkpointing ? checkpointed : estimated;
        };
        seriesFor().points.push_back(at);
        if (!mark.measured) line.points.push_back(at);
        if (mark.chosen) around.points.push_back(at);
    }
    std::sort(line.points.begin(), line.points.end(),
              [](QPointF a, QPointF b) { return a.x() < b.x() || (a.x() == b.x() && a.y() < b.y()); });
    std::vector<QPointF> front;
    for (const QPointF at : line.points)
        if (front.empty() || at.y() < front.back().y()) front.push_back(at);
    line.points = std::move(front);
    return {line, around, estimated, checkpointed, planned, measured};
}

/// The range of one coordinate, with these margins below and above.
AxisRange rangeOf(const std::vector<ParetoMark>& marks, double ParetoMark::*coordinate, double below, double above) {
    const auto less = [&](const ParetoMark& a, const ParetoMark& b) { return a.*coordinate < b.*coordinate; };
    const auto [least, most] = std::minmax_element(marks.begin(), marks.end(), less);
    const double low = (*least).*coordinate, high = (*most).*coordinate, span = high > low ? high - low : high;
    return AxisRange::spanning(std::max(std::min(0.0, low), low - span * below), high + span * above);
}

}  // namespace

Plot paretoPlot(const std::vector<ParetoMark>& marks, const ParetoAxes& axes, const QString& title) {
    Plot plot;
    plot.title = title;
    if (marks.empty()) return plot;
    plot.x = {axes.memory, rangeOf(marks, &ParetoMark::megabytes, 0.04, 0.04)};
    plot.y = {axes.time, rangeOf(marks, &ParetoMark::ms, 0.15, 0.2)};
    plot.series = seriesOf(marks);
    for (const bool chosen : {true, false})
        for (const ParetoMark& mark : marks)
            if (mark.chosen == chosen && !mark.label.isEmpty()) plot.labels.push_back({pointOf(mark), mark.label});
    return plot;
}

ParetoChart::ParetoChart(QWidget* parent)
    : PlotView(QStringLiteral("paretoChart"), tr("Time against memory"), Zoom::both, parent) {}

void ParetoChart::setMarks(std::vector<ParetoMark> marks, const ParetoAxes& axes) {
    marks_ = std::move(marks);
    axes_ = axes;
    Plot next = paretoPlot(marks_, axes_, {});
    const bool same = next.x.range == plot().x.range && next.y.range == plot().y.range;
    setPlot(std::move(next), same);
}

QPoint ParetoChart::placeOf(std::size_t mark) const { return frame().place(pointOf(marks_[mark])).toPoint(); }

/// By memory, whatever their order.
int ParetoChart::stopBeside(int stop, int direction) const {
    std::vector<int> order(marks_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return marks_[static_cast<std::size_t>(a)].megabytes < marks_[static_cast<std::size_t>(b)].megabytes;
    });
    const auto from = static_cast<int>(std::find(order.begin(), order.end(), stop) - order.begin());
    const int next = stop >= 0 ? from + direction : direction > 0 ? 0 : stopCount() - 1;
    return next < 0 || next >= stopCount() ? -1 : order[static_cast<std::size_t>(next)];
}

std::vector<QPointF> ParetoChart::pointsOf(int stop) const { return {pointOf(marks_[static_cast<std::size_t>(stop)])}; }

void ParetoChart::mouseMoveEvent(QMouseEvent* event) {
    PlotView::mouseMoveEvent(event);
    setCursor(current() >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

}  // namespace aotscope
