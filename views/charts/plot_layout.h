#pragma once

#include "charts/plot.h"

namespace aotscope {

/// The places of values on the screen.
struct PlotFrame {
    QRectF area;     ///< of the points
    AxisRange x, y;  ///< the visible part

    QPointF place(QPointF value) const {
        return {area.left() + x.share(value.x()) * area.width(), area.bottom() - y.share(value.y()) * area.height()};
    }
    QPointF value(QPointF place) const {
        return {x.at((place.x() - area.left()) / area.width()), y.at((area.bottom() - place.y()) / area.height())};
    }
};

/// The places of all parts of a plot.
struct PlotLayout {
    struct Entry {
        const PlotSeries* series;
        QRectF place;
    };
    struct Label {
        QString text;
        QRectF place;
    };

    QRectF whole;
    PlotFrame frame;
    AxisTicks xTicks, yTicks;
    QRectF title, xTitle, yTitle;
    std::vector<Entry> legend;
    std::vector<Label> labels;  ///< those that fit
};

/// `x` and `y`: the visible part. The layout refers to the plot.
PlotLayout layOut(const Plot& plot, QSizeF size, const AxisRange& x, const AxisRange& y);

/// Fonts of the titles of plot and axes.
QFont plotTitleFont();
QFont axisTitleFont();

/// In an entry of the legend: from its left edge to its text.
constexpr double kLegendText = 22;

}  // namespace aotscope
