#include "charts/time_picture.h"

#include "canvas/drawn_graph.h"
#include "charts/chart_file.h"
#include "charts/plot_painter.h"
#include "support/formatted.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace aotscope {

namespace {

/// The unit of times.
struct TimeUnit {
    double us;
    QString text;
};

TimeUnit unitFor(double us) {
    if (us >= 1e6) return {1e6, QObject::tr("%1 s")};
    if (us >= 1e3) return {1e3, QObject::tr("%1 ms")};
    return {1, QObject::tr("%1 µs")};
}

void paintRuler(QPainter& painter, const TimeFrame& frame, const Theme& theme) {
    constexpr double pixelsForTick = 110;
    const int most = static_cast<int>(frame.area.width() / pixelsForTick);
    const TimeUnit unit = unitFor(frame.seen.high);
    const AxisTicks ticks({frame.seen.low / unit.us, frame.seen.high / unit.us}, most);
    for (const double value : ticks.values()) {
        const double x = frame.x(value * unit.us);
        painter.setPen(theme.grid);
        painter.drawLine(QPointF(x, frame.area.top()), QPointF(x, frame.area.bottom()));
        painter.setPen(theme.faintText);
        painter.drawText(QPointF(x + 3, frame.area.top() + TimeFrame::kAxis - 7), unit.text.arg(ticks.text(value)));
    }
}

QColor fillOf(const TimeBar& bar, const Theme& theme) {
    constexpr double graph = 0.9, evenModule = 0.5, oddModule = 0.35, operation = 0.7, overhead = 0.12;
    const double share = bar.kind == TimeBar::Kind::graph       ? graph
                         : bar.kind == TimeBar::Kind::operation ? operation
                         : bar.kind == TimeBar::Kind::overhead  ? overhead
                         : bar.row % 2 == 0                     ? evenModule
                                                                : oddModule;
    return blended(theme.background, bar.backward ? theme.backwardCurve : theme.forwardCurve, share);
}

void paintBar(QPainter& painter, const TimeBar& bar, const QRectF& rect, const Theme& theme) {
    const QColor fill = fillOf(bar, theme);
    painter.fillRect(rect, fill);
    constexpr double readable = 26;
    if (rect.width() < readable) return;
    painter.setPen(textOn(fill, theme.scheme));
    const QRectF inside = rect.adjusted(4, 0, -3, 0);
    painter.drawText(inside, Qt::AlignVCenter | Qt::AlignLeft,
                     QFontMetricsF(painter.font()).elidedText(bar.text, Qt::ElideRight, inside.width()));
}

/// Bars narrower than a pixel share it: one of them is painted.
void paintBars(QPainter& painter, const TimePicture& picture, const TimeFrame& frame, const Theme& theme) {
    constexpr double gap = 0.6;
    std::vector<double> painted(static_cast<std::size_t>(frame.rows), -1);  // the end so far, in each row
    for (const TimeBar& bar : picture.bars) {
        if (bar.end() < frame.seen.low || bar.start > frame.seen.high) continue;
        QRectF rect = frame.rectOf(bar);
        double& last = painted[static_cast<std::size_t>(bar.row)];
        if (rect.right() < last + 1) continue;
        last = rect.right();
        if (rect.width() > 2 * gap + 1) rect.adjust(0, 0, -gap, 0);
        else rect.setWidth(std::max(1.0, rect.width()));
        paintBar(painter, bar, rect, theme);
    }
}

/// The memory of the steps whose bytes are known, each as wide as its time.
PlotSeries memoryCurve(const TimePicture& picture, double TimePicture::Memory::*bytes) {
    PlotSeries series;
    for (const auto& step : picture.memory) {
        if (step.*bytes < 0) continue;
        series.points.emplace_back(step.start, step.*bytes);
        series.points.emplace_back(step.end, step.*bytes);
    }
    return series;
}

void paintMemoryCurves(QPainter& painter, const TimePicture& picture, const TimeFrame& frame, const Theme& theme) {
    PlotSeries measured = memoryCurve(picture, &TimePicture::Memory::measured),
               predicted = memoryCurve(picture, &TimePicture::Memory::predicted);
    measured.kind = PlotSeries::Kind::area;
    measured.colour = &Theme::measured;
    predicted.dashed = true;
    double most = 0;
    for (const PlotSeries* series : {&measured, &predicted})
        for (const QPointF& point : series->points) most = std::max(most, point.y());
    if (most <= 0) return;
    const QRectF area = frame.memoryArea();
    const PlotFrame curves{area.adjusted(0, TimeFrame::kAxis, 0, 0), frame.seen, {0, most}};
    for (const PlotSeries* series : {&measured, &predicted}) paintSeries(painter, *series, curves, theme);
    painter.setPen(theme.text);
    painter.drawText(area.adjusted(4, 0, -4, 0), Qt::AlignTop | Qt::AlignLeft,
                     QObject::tr("memory, up to %1; dashed: predicted")
                         .arg(toQString(formatBytes(static_cast<std::int64_t>(most)))));
}

}  // namespace

double TimeFrame::heightOf(const TimePicture& picture) {
    return kAxis + picture.rows() * kRow + (picture.memory.empty() ? 0 : kMemory + kGap);
}

QRectF TimeFrame::rectOf(const TimeBar& bar) const {
    const double left = x(bar.start), top = area.top() + kAxis + bar.row * kRow;
    return {left, top, x(bar.end()) - left, kRow - 1};
}

QRectF TimeFrame::memoryArea() const {
    if (!memory) return {};
    const double top = area.top() + kAxis + rows * kRow + kGap;
    return {area.left(), top, area.width(), std::max(kMemory, area.bottom() - top)};
}

void paintTimes(QPainter& painter, const TimePicture& picture, const TimeFrame& frame, const Theme& theme,
                int current) {
    painter.save();
    painter.setClipRect(frame.area);
    painter.fillRect(frame.area, theme.background);
    painter.setFont(lineFont());
    paintRuler(painter, frame, theme);
    paintBars(painter, picture, frame, theme);
    if (frame.memory) paintMemoryCurves(painter, picture, frame, theme);
    if (current >= 0) {
        painter.setPen(QPen(theme.selection, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(frame.rectOf(picture.bars[static_cast<std::size_t>(current)]).adjusted(0, 0, 0, -1));
    }
    painter.restore();
}

void writeTimes(const std::vector<TimePicture>& pictures, const QString& title, const std::filesystem::path& file,
                const Theme& theme) {
    constexpr int width = 1400;
    double height = 0, length = 0;
    for (const TimePicture& picture : pictures) {
        height += TimeFrame::heightOf(picture);
        length = std::max(length, picture.length());
    }
    writePainted(file, {width, static_cast<int>(std::ceil(height))}, title, [&](QPainter& painter) {
        double top = 0;
        for (const TimePicture& picture : pictures) {
            const QRectF area(0, top, width, TimeFrame::heightOf(picture));
            paintTimes(painter, picture,
                       {AxisRange::spanning(0, length), area, picture.rows(), !picture.memory.empty()}, theme, -1);
            top = area.bottom();
        }
    });
}

}  // namespace aotscope
