#include "charts/chart_axis.h"

#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace aotscope {

namespace {

double roundStep(double range, int most) {
    const double rough = range / most, power = std::pow(10, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= rough * (1 - 1e-9)) return factor * power;
    return 10 * power;
}

/// "1.5e+07" in short form: "1.5e7".
QString scientificText(double value, int decimals) {
    const QStringList parts = QString::number(value, 'e', decimals).split(u'e');
    return parts[0] + u'e' + QString::number(parts[1].toInt());
}

}  // namespace

AxisRange AxisRange::spanning(double low, double high) {
    return {low, high > low ? high : low + std::max(1.0, std::abs(low) * 1e-6)};
}

AxisRange AxisRange::zoomed(double factor, double centre) const {
    return {centre - (centre - low) / factor, centre + (high - centre) / factor};
}

AxisRange AxisRange::within(const AxisRange& whole, double least) const {
    const double length = std::clamp(this->length(), std::min(least, whole.length()), whole.length());
    if (length == whole.length()) return whole;  // exactly, despite earlier rounding
    const double start = std::clamp(low, whole.low, std::max(whole.low, whole.high - length));
    return {start, start + length};
}

AxisTicks::AxisTicks(const AxisRange& range, int most, AxisNumbers numbers) : powers_(numbers == AxisNumbers::powers) {
    step_ = roundStep(range.length(), std::max(1, most));
    if (numbers != AxisNumbers::any) step_ = std::max(1.0, step_);
    if (!std::isfinite(step_) || step_ <= 0) return;
    const double slack = range.length() * 1e-9, first = std::ceil((range.low - slack) / step_);
    // Multiples, not a running sum, which would give 0.30000000000000004.
    for (int i = 0; i <= most + 1 && (first + i) * step_ <= range.high + slack; ++i)
        values_.push_back((first + i) * step_);
    constexpr double large = 1e7, small = 1e-5;
    scientific_ = std::max(std::abs(range.low), std::abs(range.high)) >= large || step_ < small;
}

AxisTicks AxisTicks::across(const AxisRange& range, double width, AxisNumbers numbers) {
    constexpr double pixels = 30, gap = 16;
    constexpr int enough = 10;
    for (int most = std::clamp(static_cast<int>(width / pixels), 1, enough);; --most) {
        AxisTicks ticks(range, most, numbers);
        if (most <= 1 || ticks.widest() + gap <= width * ticks.step_ / range.length()) return ticks;
    }
}

AxisTicks AxisTicks::upwards(const AxisRange& range, double height, AxisNumbers numbers) {
    constexpr double pixels = 18;
    constexpr int enough = 8;
    return {range, std::clamp(static_cast<int>(height / pixels), 1, enough), numbers};
}

QString AxisTicks::text(double value) const {
    if (powers_) {
        constexpr double least = -3, most = 4;  // written out
        if (value < least || value > most) return QStringLiteral("1e") + QString::number(std::lround(value));
        return QLocale(QLocale::English).toString(std::pow(10, value), 'f', std::max(0, static_cast<int>(-value)));
    }
    if (std::abs(value) < step_ / 2) return QStringLiteral("0");
    const auto power = [](double x) { return static_cast<int>(std::floor(std::log10(x) + 1e-9)); };
    const int decimals = scientific_ ? power(std::abs(value)) - power(step_) : -power(step_);
    constexpr int most = 15;  // the precision of a double
    const int kept = std::clamp(decimals, 0, most);
    return scientific_ ? scientificText(value, kept) : QLocale(QLocale::English).toString(value, 'f', kept);
}

double AxisTicks::widest() const {
    const QFontMetricsF metrics(lineFont());
    double width = 0;
    for (const double value : values_) width = std::max(width, metrics.horizontalAdvance(text(value)));
    return width;
}

void AxisTicks::keepWithin(const AxisRange& range) {
    std::erase_if(values_, [&](double value) { return !range.contains(value); });
}

void paintTicks(QPainter& painter, AxisSide side, const QRectF& area, const AxisRange& range, const AxisTicks& ticks,
                const Theme& theme) {
    constexpr double mark = 3, room = 200;
    painter.setFont(lineFont());
    const double line = QFontMetricsF(painter.font()).height();
    for (const double value : ticks.values()) {
        const double share = range.share(value);
        const double x = area.left() + share * area.width(), y = area.bottom() - share * area.height();
        QLineF tick(x, area.bottom(), x, area.bottom() + mark);
        QRectF place(x - room / 2, area.bottom() + mark + 1, room, line);
        Qt::Alignment aligned = Qt::AlignHCenter | Qt::AlignTop;
        if (side == AxisSide::left) {
            tick = {area.left() - mark, y, area.left(), y};
            place = {area.left() - kTickGap - room, y - line / 2, room, line};
            aligned = Qt::AlignRight | Qt::AlignVCenter;
        } else if (side == AxisSide::right) {
            tick = {area.right(), y, area.right() + mark, y};
            place = {area.right() + kTickGap, y - line / 2, room, line};
            aligned = Qt::AlignLeft | Qt::AlignVCenter;
        }
        painter.setPen(theme.faintText);
        painter.drawLine(tick);
        painter.setPen(theme.text);
        painter.drawText(place, aligned, ticks.text(value));
    }
}

void paintMarked(QPainter& painter, const QRectF& marked, const Theme& theme) {
    constexpr int faint = 40;
    QColor inside = theme.estimated;
    inside.setAlpha(faint);
    painter.setPen(theme.estimated);
    painter.setBrush(inside);
    painter.drawRect(marked);
}

}  // namespace aotscope
