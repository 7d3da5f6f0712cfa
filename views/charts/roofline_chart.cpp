#include "charts/roofline_chart.h"

#include "models/words/to_qstring.h"
#include "support/formatted.h"

#include <algorithm>
#include <cmath>

namespace aotscope {

namespace {

constexpr double kGiga = 1e9;

/// In the plot: decimal logarithms.
QPointF placeOf(double intensity, double perSecond) { return {std::log10(intensity), std::log10(perSecond / kGiga)}; }
QPointF placeOf(const RooflinePoint& point) { return placeOf(point.intensity(), point.rate()); }

QString tipOf(const StepTime& step, const RooflinePoint& point) {
    QString tip = QObject::tr("%%1: %2, %3\n%4 GFLOP/s, %5 operations per byte")
                      .arg(toQString(step.name), toQString(step.op), toQString(formatDuration(step.medianUs / 1000)),
                           toQString(threeDigits(point.rate() / kGiga)), toQString(threeDigits(point.intensity())));
    if (point.reached > 0)
        tip += QObject::tr(": %1 % of what the machine can do").arg(std::lround(100 * point.reached));
    return tip;
}

/// Larger for what takes more of the time.
struct SizeClass {
    double least;  ///< share of the time
    double pixels;
};
constexpr SizeClass kSizes[] = {{0.05, 12}, {0.01, 8}, {0, 5}};

std::size_t sizeOf(double share) {
    return static_cast<std::size_t>(
        std::ranges::find_if(kSizes, [share](const SizeClass& size) { return share >= size.least; }) - kSizes);
}

/// A series for each part and size; the largest of a part names it.
std::vector<PlotSeries> marksOf(const RooflinePicture& picture) {
    std::vector<PlotSeries> all;
    for (const bool backward : {false, true})
        for (std::size_t size = 0; size < std::size(kSizes); ++size) {
            PlotSeries series;
            series.kind = PlotSeries::Kind::marks;
            series.mark = backward ? PlotSeries::Mark::diamond : PlotSeries::Mark::circle;
            series.colour = backward ? &Theme::backwardCurve : &Theme::forwardCurve;
            series.size = kSizes[size].pixels;
            for (const RooflinePicture::Point& point : picture.points)
                if ((point.graph == GraphKind::backward) == backward && sizeOf(point.share) == size)
                    series.points.push_back(placeOf(point.at));
            if (!series.points.empty()) all.push_back(std::move(series));
        }
    for (const bool backward : {false, true}) {
        const auto colour = backward ? &Theme::backwardCurve : &Theme::forwardCurve;
        const auto first = std::ranges::find(all, colour, &PlotSeries::colour);
        if (first != all.end()) first->name = backward ? QObject::tr("backward") : QObject::tr("forward");
    }
    return all;
}

/// Up to the ceiling, as far as the axis reaches.
PlotSeries roofOf(double bytesPerSecond, double ceiling, const AxisRange& x) {
    PlotSeries roof;
    roof.colour = &Theme::text;
    const double low = std::pow(10, x.low), high = std::pow(10, x.high), edge = ceiling / bytesPerSecond;
    if (low < edge) roof.points.push_back(placeOf(low, low * bytesPerSecond));
    if (edge > low && edge < high) roof.points.push_back(placeOf(edge, ceiling));
    roof.points.push_back(placeOf(high, std::min(ceiling, high * bytesPerSecond)));
    return roof;
}

/// Whole powers of ten around all values.
AxisRange decadesOf(const std::vector<double>& values) {
    const auto [least, most] = std::ranges::minmax_element(values);
    return AxisRange::spanning(std::floor(*least - 0.1), std::ceil(*most + 0.1));
}

}  // namespace

RooflinePicture rooflinePicture(const TimingResult& timing, const CompileRecord& record, const MachineModel* machine) {
    RooflinePicture picture;
    picture.limits = rooflineOf(timing, record, machine);
    double whole = 0;
    for (const RooflinePoint& point : picture.limits.points) whole += point.seconds;
    for (const RooflinePoint& point : std::exchange(picture.limits.points, {})) {
        const StepTime& step = timing.steps[point.step];
        picture.points.push_back({point, step.node, step.graph, point.seconds / whole, tipOf(step, point)});
    }
    std::ranges::stable_sort(picture.points, {},
                             [](const RooflinePicture::Point& point) { return point.at.intensity(); });
    return picture;
}

Plot rooflinePlot(const RooflinePicture& picture, const QString& title) {
    Plot plot;
    plot.title = title;
    if (picture.points.empty()) return plot;
    std::vector<double> x, y;
    for (const RooflinePicture::Point& point : picture.points) {
        const QPointF place = placeOf(point.at);
        x.push_back(place.x());
        y.push_back(place.y());
    }
    double highest = 0;
    for (const RooflineCeiling& ceiling : picture.limits.ceilings) {
        y.push_back(std::log10(ceiling.perSecond / kGiga));
        highest = std::max(highest, ceiling.perSecond);
    }
    // The slope is seen, too, whatever the points.
    if (highest > 0 && picture.limits.memory > 0) x.push_back(std::log10(highest / picture.limits.memory) - 1);
    plot.x = {QObject::tr("Operations per byte"), decadesOf(x), AxisNumbers::powers};
    plot.y = {QObject::tr("GFLOP/s"), decadesOf(y), AxisNumbers::powers};
    if (highest <= 0) highest = std::pow(10, plot.y.range.high) * kGiga;
    for (const RooflineCeiling& ceiling : picture.limits.ceilings) {
        PlotSeries line;
        line.colour = &Theme::grid;
        line.points = {{plot.x.range.low, std::log10(ceiling.perSecond / kGiga)},
                       {plot.x.range.high, std::log10(ceiling.perSecond / kGiga)}};
        plot.series.push_back(std::move(line));
        plot.labels.push_back({{plot.x.range.low, std::log10(ceiling.perSecond / kGiga)}, toQString(ceiling.name)});
    }
    for (const bool cached : {true, false}) {
        const double bandwidth = cached ? picture.limits.cached : picture.limits.memory;
        if (bandwidth <= 0) continue;
        PlotSeries roof = roofOf(bandwidth, highest, plot.x.range);
        roof.name = cached ? QObject::tr("limit from caches") : QObject::tr("limit from memory");
        roof.dashed = cached;
        plot.series.push_back(std::move(roof));
    }
    for (PlotSeries& marks : marksOf(picture)) plot.series.push_back(std::move(marks));
    return plot;
}

RooflineChart::RooflineChart(QWidget* parent)
    : PlotView(QStringLiteral("rooflineChart"), tr("Roofline: rate against arithmetic intensity"), Zoom::both, parent) {
}

void RooflineChart::setPicture(RooflinePicture picture) {
    picture_ = std::move(picture);
    setPlot(rooflinePlot(picture_, {}), false);
}

std::vector<QPointF> RooflineChart::pointsOf(int stop) const {
    return {placeOf(picture_.points[static_cast<std::size_t>(stop)].at)};
}

}  // namespace aotscope
