#pragma once

#include "canvas/layout/layout.h"
#include "canvas/layout/row_index.h"

namespace aotscope {

/// Routes the edges of a picture whose boxes are placed.
class EdgeRoutes {
public:
    EdgeRoutes(const DrawnGraph& graph, const GraphLayout& layout);

    /// From a forward box to a backward one: straight if nothing is between them, else between the rows; empty if every
    /// route crosses a box, or if they are in different columns of a folded ladder.
    QPainterPath rung(const DrawnEdge& edge) const;
    /// True if `path` leads through a box other than the two ends of `edge`.
    bool blocked(const DrawnEdge& edge, const QPainterPath& path) const;

private:
    QRectF box(int node) const { return boxes_[static_cast<std::size_t>(node)]; }
    bool comesNearer(double distance, const DrawnEdge& edge, const QPainterPath& path) const;
    double lane(double y, double left, double right, bool downwards) const;
    std::vector<QPainterPath> ways(const DrawnEdge& edge) const;

    RowIndex boxes_, frames_;
    const double* gutterOf(const DrawnEdge& edge) const;

    /// Where the gap between forward and backward begins, in each column.
    std::vector<double> gutters_;
};

/// The points of a path, curves in pieces so small that they look straight.
std::vector<QPointF> flattened(const QPainterPath& path);

}  // namespace aotscope
