#pragma once

#include "charts/plot_layout.h"

namespace aotscope {

/// Paints all of a plot, including the background.
void paintPlot(QPainter& painter, const Plot& plot, const PlotLayout& layout, const Theme& theme);

/// Paints the visible part of a series.
void paintSeries(QPainter& painter, const PlotSeries& series, const PlotFrame& frame, const Theme& theme);

/// The stretches of a line between its gaps, in pixels. Of many points in one column of pixels, it keeps those that
/// determine the column: the first, the highest, the lowest and the last.
std::vector<QPolygonF> stretchesOf(const std::vector<QPointF>& points, const PlotFrame& frame);

}  // namespace aotscope
