#pragma once

#include "canvas/layout.h"
#include "canvas/plain_parser.h"

namespace aotscope {

/// The columns side by side; those of a ladder with their rows level.
GraphLayout composeColumns(const DrawnGraph& graph, const LayoutPlan& plan, const std::vector<PlainLayout>& columns);

/// Boxes row by row, packed from the left in list order; the backward of a ladder in a column of its own.
GraphLayout placeInRows(const DrawnGraph& graph, const LayoutPlan& plan);

/// Gives every edge that has no path yet one (straight flow, horizontal rungs) or its stub, and the picture its
/// bounds.
void finishEdges(const DrawnGraph& graph, const LayoutPlan& plan, GraphLayout& layout);

}  // namespace aotscope
