#include "charts/time_picture.h"

#include "charts/chart_svg.h"
#include "support/error.h"
#include "support/file.h"

#include <QBuffer>
#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace aotscope {

namespace {

constexpr double kMegabyte = 1e6;

QString timeText(double us, double step) {
    if (step >= 1000) return QObject::tr("%1 ms").arg(us / 1000, 0, 'f', 0);
    if (us >= 1000 || step >= 100) return QObject::tr("%1 ms").arg(us / 1000, 0, 'f', step >= 100 ? 1 : 3);
    return QObject::tr("%1 µs").arg(us, 0, 'f', step < 1 ? 2 : 0);
}

void paintAxis(QPainter& painter, const TimeFrame& frame, const ChartStyle& style) {
    constexpr double pixelsForTick = 110;
    const int most = std::max(1, static_cast<int>(frame.area.width() / pixelsForTick));
    const double step = roundStep(frame.end - frame.start, most);
    for (double t = std::ceil(frame.start / step) * step; t <= frame.end; t += step) {
        const double x = frame.x(t);
        painter.setPen(style.grid);
        painter.drawLine(QPointF(x, frame.area.top()), QPointF(x, frame.area.bottom()));
        painter.setPen(style.faintText);
        painter.drawText(QPointF(x + 3, frame.area.top() + TimeFrame::kAxis - 7), timeText(t, step));
    }
}

QColor fillOf(const TimeBar& bar, const ChartStyle& style) {
    QColor fill = bar.backward ? style.backward : style.forward;
    constexpr float graph = 0.9F, evenModule = 0.5F, oddModule = 0.35F, operation = 0.7F;
    fill.setAlphaF(bar.kind == TimeBar::Kind::graph       ? graph
                   : bar.kind == TimeBar::Kind::operation ? operation
                   : bar.row % 2 == 0                     ? evenModule
                                                          : oddModule);
    return fill;
}

void paintBar(QPainter& painter, const TimeBar& bar, const QRectF& rect, const ChartStyle& style) {
    painter.fillRect(rect, fillOf(bar, style));
    constexpr double readable = 26;
    if (rect.width() < readable) return;
    painter.setPen(style.text);
    const QRectF inside = rect.adjusted(4, 0, -3, 0);
    painter.drawText(inside, Qt::AlignVCenter | Qt::AlignLeft,
                     QFontMetricsF(painter.font()).elidedText(bar.text, Qt::ElideRight, inside.width()));
}

/// Bars that are narrower than a pixel share it: one of them is painted.
void paintBars(QPainter& painter, const TimePicture& picture, const TimeFrame& frame, const ChartStyle& style) {
    constexpr double gap = 0.6;
    std::vector<double> painted(static_cast<std::size_t>(frame.rows), -1);  // up to where, in each row
    for (const TimeBar& bar : picture.bars) {
        if (bar.end() < frame.start || bar.start > frame.end) continue;
        QRectF rect = frame.rectOf(bar);
        double& last = painted[static_cast<std::size_t>(bar.row)];
        if (rect.right() < last + 1) continue;
        last = rect.right();
        if (rect.width() > 2 * gap + 1) rect.adjust(0, 0, -gap, 0);
        else rect.setWidth(std::max(1.0, rect.width()));
        paintBar(painter, bar, rect, style);
    }
}

double highest(const TimePicture& picture) {
    double most = 0;
    for (const auto& m : picture.memory) most = std::max({most, m.measured, m.predicted});
    return most;
}

void paintMemory(QPainter& painter, const TimePicture& picture, const TimeFrame& frame, const ChartStyle& style) {
    const QRectF area = frame.memoryArea();
    const double most = highest(picture);
    if (most <= 0) return;
    const auto y = [&](double bytes) { return area.bottom() - bytes / most * (area.height() - TimeFrame::kAxis); };
    QPainterPath measured(QPointF(frame.x(picture.memory.front().start), area.bottom())), predicted;
    bool isFirst = true;
    for (const auto& m : picture.memory) {
        const double left = frame.x(m.start), right = frame.x(m.end);
        measured.lineTo(left, y(m.measured));
        measured.lineTo(right, y(m.measured));
        if (m.predicted < 0) continue;
        if (isFirst) predicted.moveTo(left, y(m.predicted));
        isFirst = false;
        predicted.lineTo(left, y(m.predicted));
        predicted.lineTo(right, y(m.predicted));
    }
    measured.lineTo(frame.x(picture.memory.back().end), area.bottom());
    QColor fill = style.measured;
    constexpr float faint = 0.35F;
    fill.setAlphaF(faint);
    painter.fillPath(measured, fill);
    painter.setPen(QPen(style.estimated, 1.3, Qt::DashLine));
    painter.drawPath(predicted);
    painter.setPen(style.text);
    painter.drawText(area.adjusted(4, 0, -4, 0), Qt::AlignTop | Qt::AlignLeft,
                     QObject::tr("memory, up to %1 MB; dashed: predicted").arg(most / kMegabyte, 0, 'f', 2));
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

void paintTimes(QPainter& painter, const TimePicture& picture, const TimeFrame& frame, const ChartStyle& style,
                int current) {
    painter.save();
    painter.setClipRect(frame.area);
    painter.fillRect(frame.area, style.background);
    painter.setFont(lineFont());
    paintAxis(painter, frame, style);
    paintBars(painter, picture, frame, style);
    if (frame.memory) paintMemory(painter, picture, frame, style);
    if (current >= 0) {
        painter.setPen(QPen(style.chosen, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(frame.rectOf(picture.bars[static_cast<std::size_t>(current)]).adjusted(0, 0, 0, -1));
    }
    painter.restore();
}

void writeTimes(const TimePicture& picture, const QString& title, const std::filesystem::path& file,
                const Theme& theme) {
    constexpr int width = 1400, scale = 2;
    const QSize size(width, static_cast<int>(std::ceil(TimeFrame::heightOf(picture))));
    const TimeFrame frame{0, std::max(picture.length(), 1e-3), QRectF(QPointF(0, 0), QSizeF(size)), picture.rows(),
                          !picture.memory.empty()};
    const auto paint = [&](QPainter& painter) { paintTimes(painter, picture, frame, ChartStyle(theme), -1); };
    QByteArray content;
    if (file.extension() == ".svg") {
        content = paintedSvg(size, title, paint);
    } else if (file.extension() == ".png") {
        QImage image(size * scale, QImage::Format_RGB32);
        image.setDevicePixelRatio(scale);
        QPainter painter(&image);
        painter.setRenderHint(QPainter::Antialiasing);
        paint(painter);
        painter.end();
        QBuffer buffer(&content);
        buffer.open(QIODevice::WriteOnly);
        image.save(&buffer, "PNG");
    } else {
        throw UsageError("'" + file.string() + "': a picture of times ends in .svg or .png");
    }
    writeFileAtomically(file, {content.constData(), static_cast<std::size_t>(content.size())});
}

}  // namespace aotscope
