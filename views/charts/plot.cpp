#include "charts/plot.h"

#include <algorithm>
#include <cmath>

namespace aotscope {

PlotSeries PlotSeries::marks(const QString& name, Mark mark, QColor Theme::*colour, double size) {
    PlotSeries series;
    series.name = name;
    series.kind = Kind::marks;
    series.mark = mark;
    series.colour = colour;
    series.size = size;
    return series;
}

double PlotAxis::shortest() const {
    constexpr double share = 1e-3, wholeNumbers = 4;
    return numbers == AxisNumbers::any ? range.length() * share : wholeNumbers;
}

AxisRange Plot::heightsIn(const AxisRange& seen) const {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    bool ground = false;
    for (const PlotSeries& one : series) {
        if (one.kind == PlotSeries::Kind::marks) continue;
        ground = ground || one.kind == PlotSeries::Kind::area;
        const auto left = [](const QPointF& point, double at) { return point.x() < at; };
        auto point = std::lower_bound(one.points.begin(), one.points.end(), seen.low, left);
        if (point != one.points.begin()) --point;  // neighbours outside of the range
        for (; point != one.points.end() && point->x() <= seen.high; ++point) {
            if (!std::isfinite(point->y())) continue;
            low = std::min(low, point->y());
            high = std::max(high, point->y());
        }
    }
    if (low > high) return y.range;
    if (ground) low = std::min(low, 0.0);
    // Values that differ by rounding alone are shown as equal: in the middle of a range of their own.
    constexpr double rounding = 1e-9, aroundEqual = 0.1;
    const double size = std::max(std::abs(low), std::abs(high)), span = high - low;
    const double room = span > size * rounding ? span * headroom : size * aroundEqual;
    return AxisRange::spanning(ground ? low : low - room, high + room);
}

const PlotSeries* Plot::find(const QString& name) const {
    const auto found =
        std::find_if(series.begin(), series.end(), [&](const PlotSeries& one) { return one.name == name; });
    return found == series.end() ? nullptr : &*found;
}

}  // namespace aotscope
