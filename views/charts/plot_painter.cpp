#include "charts/plot_painter.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <array>
#include <cmath>

namespace aotscope {

namespace {

using Kind = PlotSeries::Kind;
using Mark = PlotSeries::Mark;

QColor groundColour(QColor colour) {
    constexpr float faint = 0.45F;
    colour.setAlphaF(faint);
    return colour;
}

QPen linePen(const PlotSeries& series, const Theme& theme) {
    QPen pen(theme.*series.colour, series.size);
    if (series.dashed) {
        pen.setDashPattern({4, 4});
        pen.setCapStyle(Qt::FlatCap);  // others would close the gaps of a wide line
    }
    pen.setJoinStyle(series.kind == Kind::area ? Qt::MiterJoin : Qt::RoundJoin);
    return pen;
}

void paintMark(QPainter& painter, QPointF at, const PlotSeries& series, const Theme& theme) {
    const double r = series.size / 2;
    const bool ring = series.mark == Mark::ring;
    const QColor& colour = theme.*series.colour;
    painter.setPen(ring ? QPen(colour, 2) : QPen(theme.background, 1));
    painter.setBrush(ring ? QBrush(Qt::NoBrush) : QBrush(colour));
    if (series.mark == Mark::diamond)
        painter.drawPolygon(
            QPolygonF({at + QPointF(0, -r), at + QPointF(r, 0), at + QPointF(0, r), at - QPointF(r, 0)}));
    else if (series.mark == Mark::triangle)
        painter.drawPolygon(QPolygonF({at + QPointF(0, -r), at + QPointF(r, r), at + QPointF(-r, r)}));
    else if (series.mark == Mark::square) painter.drawRect(QRectF(at - QPointF(r, r), at + QPointF(r, r)));
    else painter.drawEllipse(at, r, r);
}

void appendColumn(std::vector<QPointF>& column, QPolygonF& stretch) {
    const auto lower = [](const QPointF& a, const QPointF& b) { return a.y() < b.y(); };
    const auto [low, high] = std::minmax_element(column.begin(), column.end(), lower);
    std::array kept = {column.begin(), low, high, column.end() - 1};
    std::sort(kept.begin(), kept.end());
    const auto end = std::unique(kept.begin(), kept.end());
    for (auto point = kept.begin(); point != end; ++point) stretch << **point;
    column.clear();
}

void paintGrid(QPainter& painter, const PlotLayout& layout, const Theme& theme) {
    const PlotFrame& frame = layout.frame;
    const QRectF& area = frame.area;
    // A line of one pixel is sharp in the middle of a pixel.
    const auto sharp = [](double at) { return std::floor(at) + 0.5; };
    painter.setPen(theme.grid);
    for (const double value : layout.xTicks.values()) {
        const double x = sharp(frame.place({value, 0}).x());
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    }
    for (const double value : layout.yTicks.values()) {
        const double y = sharp(frame.place({0, value}).y());
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    }
    painter.setPen(theme.faintText);
    painter.drawLine(QPointF(area.left(), sharp(area.bottom())), QPointF(area.right(), sharp(area.bottom())));
    painter.drawLine(QPointF(sharp(area.left()), area.top()), QPointF(sharp(area.left()), area.bottom()));
}

void paintLegend(QPainter& painter, const PlotLayout& layout, const Theme& theme) {
    constexpr double sample = 17, boxHeight = 9;
    painter.setFont(lineFont());
    for (const auto& [series, place] : layout.legend) {
        const QPointF middle(place.left() + sample / 2, place.center().y());
        painter.setPen(linePen(*series, theme));
        if (series->kind == Kind::marks) {
            paintMark(painter, middle, *series, theme);
        } else if (series->kind == Kind::line) {
            painter.drawLine(middle - QPointF(sample / 2, 0), middle + QPointF(sample / 2, 0));
        } else {
            painter.setBrush(groundColour(theme.*series->colour));
            painter.drawRect(QRectF(middle.x() - boxHeight / 2, middle.y() - boxHeight / 2, boxHeight, boxHeight));
        }
        painter.setPen(theme.text);
        painter.drawText(place.adjusted(kLegendText, 0, 2, 0), Qt::AlignLeft | Qt::AlignVCenter, series->name);
    }
}

/// On a background of their own, to be readable over lines.
void paintLabels(QPainter& painter, const PlotLayout& layout, const Theme& theme) {
    constexpr int ground = 190;
    QColor behind = theme.background;
    behind.setAlpha(ground);
    painter.setFont(lineFont());
    painter.setPen(theme.text);
    for (const auto& [text, place] : layout.labels) {
        painter.fillRect(place.adjusted(-1, 1, 1, -1), behind);
        painter.drawText(place.adjusted(-1, 0, 1, 0), Qt::AlignCenter, text);
    }
}

}  // namespace

std::vector<QPolygonF> stretchesOf(const std::vector<QPointF>& points, const PlotFrame& frame) {
    const auto left = [](const QPointF& point, double at) { return point.x() < at; };
    const auto right = [](double at, const QPointF& point) { return at < point.x(); };
    auto first = std::lower_bound(points.begin(), points.end(), frame.x.low, left);
    auto last = std::upper_bound(first, points.end(), frame.x.high, right);
    // The neighbours outside: lines lead to them.
    if (first != points.begin()) --first;
    if (last != points.end()) ++last;
    std::vector<QPolygonF> stretches(1);
    std::vector<QPointF> column;
    for (auto point = first; point != last; ++point) {
        const bool gap = !std::isfinite(point->y());
        const QPointF at = frame.place(*point);
        if (!column.empty() && (gap || std::floor(column.front().x()) != std::floor(at.x())))
            appendColumn(column, stretches.back());
        if (!gap) column.push_back(at);
        else if (!stretches.back().empty()) stretches.emplace_back();
    }
    if (!column.empty()) appendColumn(column, stretches.back());
    if (stretches.back().empty()) stretches.pop_back();
    return stretches;
}

void paintSeries(QPainter& painter, const PlotSeries& series, const PlotFrame& frame, const Theme& theme) {
    painter.save();
    if (series.kind == Kind::marks) {
        for (const QPointF& point : series.points)
            if (frame.x.contains(point.x()) && frame.y.contains(point.y()))
                paintMark(painter, frame.place(point), series, theme);
        return painter.restore();
    }
    painter.setClipRect(frame.area.adjusted(0, -1, 0, 1), Qt::IntersectClip);
    const double ground = frame.place({0, 0}).y();
    for (const QPolygonF& stretch : stretchesOf(series.points, frame)) {
        if (series.kind == Kind::area) {
            QPainterPath path;
            path.addPolygon(stretch);
            path.lineTo(stretch.last().x(), ground);
            path.lineTo(stretch.first().x(), ground);
            painter.fillPath(path, groundColour(theme.*series.colour));
        }
        if (stretch.size() > 1) {
            painter.setPen(linePen(series, theme));
            painter.drawPolyline(stretch);
        } else {  // a value between two gaps
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme.*series.colour);
            painter.drawEllipse(stretch.first(), series.size, series.size);
        }
    }
    painter.restore();
}

void paintPlot(QPainter& painter, const Plot& plot, const PlotLayout& layout, const Theme& theme) {
    painter.fillRect(layout.whole, theme.background);
    painter.setPen(theme.text);
    painter.setFont(plotTitleFont());
    painter.drawText(layout.title, Qt::AlignHCenter | Qt::AlignTop, plot.title);
    if (plot.series.empty()) return;
    paintGrid(painter, layout, theme);
    for (const PlotSeries& series : plot.series) paintSeries(painter, series, layout.frame, theme);
    paintLabels(painter, layout, theme);
    paintTicks(painter, AxisSide::left, layout.frame.area, layout.frame.y, layout.yTicks, theme);
    paintTicks(painter, AxisSide::bottom, layout.frame.area, layout.frame.x, layout.xTicks, theme);
    painter.setFont(axisTitleFont());
    painter.setPen(theme.text);
    painter.drawText(layout.xTitle, Qt::AlignHCenter | Qt::AlignBottom, plot.x.title);
    painter.drawText(layout.yTitle.adjusted(0, 0, 2, 0), Qt::AlignLeft | Qt::AlignVCenter, plot.y.title);
    paintLegend(painter, layout, theme);
}

}  // namespace aotscope
