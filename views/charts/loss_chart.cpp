#include "charts/loss_chart.h"

#include <algorithm>
#include <cmath>

namespace aotscope {

namespace {

PlotSeries curveOf(const std::vector<double>& losses, const QString& name, QColor Theme::*colour) {
    PlotSeries series;
    series.name = name;
    series.colour = colour;
    series.points.reserve(losses.size());
    for (std::size_t i = 0; i < losses.size(); ++i)
        series.points.emplace_back(static_cast<double>(i + 1), losses[i]);  // steps are counted from 1
    return series;
}

}  // namespace

Plot lossPlot(const LossCurves& curves, const QString& title) {
    Plot plot;
    plot.title = title;
    if (curves.eager.empty()) return plot;
    plot.series = {curveOf(curves.eager, QObject::tr("eager"), &Theme::estimated),
                   curveOf(curves.compiled, QObject::tr("compiled"), &Theme::measured)};
    // Where both are equal, one covers the other: the lower one is wider, the upper one has gaps.
    plot.series[0].size = 3;
    plot.series[1].dashed = true;
    const auto steps = static_cast<double>(curves.eager.size());
    plot.x = {QObject::tr("Step"), steps > 1 ? AxisRange{1, steps} : AxisRange{0.5, 1.5}, AxisNumbers::whole};
    plot.y = {QObject::tr("Loss"), plot.heightsIn(plot.x.range)};
    return plot;
}

LossChart::LossChart(QWidget* parent)
    : PlotView(QStringLiteral("lossChart"), tr("Training loss, eager and compiled"), Zoom::along, parent) {}

void LossChart::setCurves(LossCurves curves) {
    const bool grows = curves.eager.size() >= curves_.eager.size();
    curves_ = std::move(curves);
    setPlot(lossPlot(curves_, {}), grows);
}

int LossChart::stopAt(QPointF place) const {
    const PlotFrame seen = frame();
    if (stopCount() == 0 || !seen.area.contains(place)) return -1;
    return std::clamp(static_cast<int>(std::lround(seen.value(place).x())) - 1, 0, stopCount() - 1);
}

std::vector<QPointF> LossChart::pointsOf(int stop) const {
    const auto step = static_cast<std::size_t>(stop);
    return {{stop + 1.0, curves_.eager[step]}, {stop + 1.0, curves_.compiled[step]}};
}

QString LossChart::tipOf(int stop) const {
    const auto step = static_cast<std::size_t>(stop);
    return tr("step %1: eager %2, compiled %3")
        .arg(stop + 1)
        .arg(curves_.eager[step], 0, 'g', 6)
        .arg(curves_.compiled[step], 0, 'g', 6);
}

}  // namespace aotscope
