#include "charts/plot_layout.h"

#include <QFontMetricsF>
#include <algorithm>

namespace aotscope {

namespace {

constexpr double kEdge = 6, kLegendLine = 17, kEntryGap = 14;

double heightOf(const QFont& font) { return QFontMetricsF(font).height(); }

/// On the line of the y axis' title: at the right end, or after the title on as many lines as needed. Returns its end.
double placeLegend(const Plot& plot, double width, double top, PlotLayout& layout) {
    const QFontMetricsF metrics(lineFont());
    double whole = 0;
    for (const PlotSeries& series : plot.series) {
        if (series.name.isEmpty() || series.points.empty()) continue;
        const double advance = kLegendText + metrics.horizontalAdvance(series.name);
        layout.legend.push_back({&series, {0, 0, advance, kLegendLine}});
        whole += advance + kEntryGap;
    }
    QPointF next(width - kEdge - whole + kEntryGap, top);
    next.setX(std::max(next.x(), layout.yTitle.right() + kEntryGap));
    for (PlotLayout::Entry& entry : layout.legend) {
        if (next.x() > kEdge && next.x() + entry.place.width() > width - kEdge + 0.5)
            next = {kEdge, next.y() + kLegendLine};
        entry.place.moveTopLeft(next);
        next.rx() += entry.place.width() + kEntryGap;
    }
    return layout.legend.empty() ? layout.yTitle.bottom() : std::max(layout.yTitle.bottom(), next.y() + kLegendLine);
}

/// The places of marks, which labels avoid.
std::vector<QRectF> placesOfMarks(const Plot& plot, const PlotFrame& frame) {
    std::vector<QRectF> places;
    for (const PlotSeries& series : plot.series) {
        if (series.kind != PlotSeries::Kind::marks) continue;
        for (const QPointF& point : series.points) {
            QRectF place(0, 0, series.size, series.size);
            place.moveCenter(frame.place(point));
            places.push_back(place);
        }
    }
    return places;
}

/// Above, beside or below the point `at`, in order of preference.
std::vector<QRectF> placesAround(QPointF at, QSizeF size, const QRectF& area) {
    constexpr double gap = 9;
    const QRectF here(at.x() - size.width() / 2, at.y() - size.height() / 2, size.width(), size.height());
    const double up = gap + size.height() / 2, aside = gap + size.width() / 2;
    // At the edges, a label above or below its point is pushed inwards.
    const double inwards =
        std::max(0.0, area.left() + 2 - here.left()) - std::max(0.0, here.right() - area.right() + 2);
    return {here.translated(inwards, -up), here.translated(aside, 0), here.translated(-aside, 0),
            here.translated(inwards, up)};
}

/// In the first place where it covers neither a mark nor another label; without one, only the first label is shown.
void placeLabel(const PlotLabel& label, const std::vector<QRectF>& marks, PlotLayout& layout) {
    const QPointF at = layout.frame.place(label.at);
    const QRectF& area = layout.frame.area;
    if (!area.adjusted(-1, -1, 1, 1).contains(at)) return;
    const QFontMetricsF metrics(lineFont());
    const QSizeF size(metrics.horizontalAdvance(label.text), metrics.height());
    std::vector<QRectF> free = placesAround(at, size, area);
    std::erase_if(free, [&](const QRectF& place) {
        return !area.contains(place) || std::any_of(layout.labels.begin(), layout.labels.end(), [&](const auto& other) {
            return other.place.adjusted(-4, -1, 4, 1).intersects(place);
        });
    });
    const auto clear = std::find_if(free.begin(), free.end(), [&](const QRectF& place) {
        return std::none_of(marks.begin(), marks.end(), [&](const QRectF& mark) { return mark.intersects(place); });
    });
    if (clear != free.end()) layout.labels.push_back({label.text, *clear});
    else if (layout.labels.empty() && !free.empty()) layout.labels.push_back({label.text, free.front()});
}

}  // namespace

QFont plotTitleFont() {
    QFont font = lineFont();
    font.setPixelSize(12);
    font.setBold(true);
    return font;
}

QFont axisTitleFont() {
    QFont font = lineFont();
    font.setPixelSize(11);
    return font;
}

PlotLayout layOut(const Plot& plot, QSizeF size, const AxisRange& x, const AxisRange& y) {
    constexpr double smallest = 8;
    const double width = size.width(), words = heightOf(axisTitleFont()), numbers = heightOf(lineFont());
    PlotLayout layout;
    layout.whole = {QPointF(0, 0), size};
    double top = kEdge;
    if (!plot.title.isEmpty()) {
        layout.title = {kEdge, top, width - 2 * kEdge, heightOf(plotTitleFont())};
        top = layout.title.bottom() + kEdge;
    }
    layout.yTitle = {kEdge, top, QFontMetricsF(axisTitleFont()).horizontalAdvance(plot.y.title), kLegendLine};
    top = placeLegend(plot, width, top, layout) + kEdge;
    layout.xTitle = {kEdge, size.height() - kEdge / 2 - words, width - 2 * kEdge, words};
    const double height = std::max(smallest, layout.xTitle.top() - numbers - kTickGap - top);
    layout.yTicks = AxisTicks::upwards(y, height, plot.y.numbers);
    const double left = kEdge + layout.yTicks.widest() + kTickGap;
    layout.xTicks = AxisTicks::across(x, width - left, plot.x.numbers);
    const double right = std::max(2 * kEdge, layout.xTicks.widest() / 2 + 2);
    layout.frame = {{left, top, std::max(smallest, width - left - right), height}, x, y};
    layout.xTitle.setLeft(left);
    const std::vector<QRectF> marks = placesOfMarks(plot, layout.frame);
    for (const PlotLabel& label : plot.labels) placeLabel(label, marks, layout);
    return layout;
}

}  // namespace aotscope
