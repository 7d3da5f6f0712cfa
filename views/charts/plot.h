#pragma once

#include "charts/chart_axis.h"

#include <QPointF>

namespace aotscope {

/// Points that belong together. A colour is a member of ChartStyle, so that a plot goes with any theme.
struct PlotSeries {
    enum class Kind : std::uint8_t {
        line,
        area,  ///< a line with the ground below it, down to 0
        marks
    };
    enum class Mark : std::uint8_t { circle, ring, diamond, triangle };

    QString name;  ///< in the legend; empty: not listed there
    Kind kind = Kind::line;
    QColor ChartStyle::*colour = &ChartStyle::estimated;
    double size = 1.6;  ///< pixels: how wide the line, or a mark, is
    bool dashed = false;
    Mark mark = Mark::circle;
    /// Of lines and areas from left to right; a y that is not finite leaves a gap.
    std::vector<QPointF> points;
};

struct PlotAxis {
    QString title;
    AxisRange range;     ///< all that there is
    bool whole = false;  ///< it counts something: only whole numbers are written

    /// No closer zoom shows anything new.
    double shortest() const;
};

/// A short text at a point.
struct PlotLabel {
    QPointF at;
    QString text;
};

/// What a chart of lines, areas and points shows, without its size, its theme and the part of it that is seen.
struct Plot {
    QString title;
    PlotAxis x, y;
    std::vector<PlotSeries> series;  ///< later ones cover earlier ones
    std::vector<PlotLabel> labels;   ///< where two overlap, the earlier one is shown
    double headroom = 0.06;          ///< above the highest point, as a share of the range

    /// The heights of the lines and areas that are seen, with some room above and below them.
    AxisRange heightsIn(const AxisRange& seen) const;
    /// By name; null: there is none.
    const PlotSeries* find(const QString& name) const;
};

}  // namespace aotscope
