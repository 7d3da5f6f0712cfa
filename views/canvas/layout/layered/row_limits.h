#pragma once

#include "canvas/layout/layout.h"

namespace aotscope {

/// Gives a large graph rows that fit into a picture of usual proportions: boxes stand near their users (lowerToUsers);
/// of an operation with very many inputs, most edges become stubs; parts without an edge between them stand one below
/// the other instead of side by side; and what is still too wide is continued in further rows. Changes rows and stubs
/// of the plan.
void limitRows(const DrawnGraph& graph, LayoutPlan& plan);

constexpr double kPictureSides = 1.5;  ///< the wanted width of a picture, by its height

}  // namespace aotscope
