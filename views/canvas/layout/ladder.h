#pragma once

#include "canvas/layout/layout.h"
#include "canvas/layout/plain_parser.h"

namespace aotscope {

/// The columns side by side; those of a ladder with their rows level.
GraphLayout composeColumns(const DrawnGraph& graph, const LayoutPlan& plan, const std::vector<PlainLayout>& columns);

/// Gives every edge without a path one (straight flow, horizontal rungs) or its stub, and the picture its bounds.
void finishEdges(const DrawnGraph& graph, const LayoutPlan& plan, GraphLayout& layout);

/// Out of the side of the forward box into the facing side of the backward box.
QPainterPath rungPath(const QRectF& from, const QRectF& to);
/// Makes `shape` a stub: a labelled end at either box in place of the line between them.
void makeStub(const DrawnGraph& graph, const DrawnEdge& edge, const QRectF& from, const QRectF& to, EdgeShape& shape);
/// Gives the picture its bounds: boxes, frames and edges with a margin.
void setBounds(GraphLayout& layout);

constexpr double kRowGap = 24, kGutter = 90;  ///< between rows, and between the forward and the backward

}  // namespace aotscope
