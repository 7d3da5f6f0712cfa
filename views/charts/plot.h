#pragma once

#include "charts/chart_axis.h"

#include <QPointF>

namespace aotscope {

/// A series of points. A colour is a member of Theme, so that a plot fits any theme.
struct PlotSeries {
    enum class Kind : std::uint8_t {
        line,
        area,  ///< a line with the area below it filled down to 0
        marks
    };
    enum class Mark : std::uint8_t { circle, ring, diamond, triangle, square };

    QString name;  ///< in the legend; empty: not listed
    Kind kind = Kind::line;
    QColor Theme::*colour = &Theme::estimated;
    double size = 1.6;  ///< pixels: width of the line or of a mark
    bool dashed = false;
    Mark mark = Mark::circle;
    /// Points of lines and areas are ordered from left to right; a y that is not finite leaves a gap.
    std::vector<QPointF> points;

    /// Marks without points yet.
    static PlotSeries marks(const QString& name, Mark mark, QColor Theme::*colour, double size);
};

struct PlotAxis {
    QString title;
    AxisRange range;  ///< the full range
    AxisNumbers numbers = AxisNumbers::any;

    /// The closest useful zoom.
    double shortest() const;
};

/// A short text at a point.
struct PlotLabel {
    QPointF at;
    QString text;
};

/// The content of a chart of lines, areas and points, without size, theme and visible part.
struct Plot {
    QString title;
    PlotAxis x, y;
    std::vector<PlotSeries> series;  ///< later ones cover earlier ones
    std::vector<PlotLabel> labels;   ///< of two that overlap, the earlier one is shown
    double headroom = 0.06;          ///< above the highest point, as a share of the range

    /// The heights of the visible lines and areas, with some room above and below.
    AxisRange heightsIn(const AxisRange& seen) const;
    /// By name; null: not found.
    const PlotSeries* find(const QString& name) const;
};

}  // namespace aotscope
