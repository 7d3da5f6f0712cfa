#pragma once

#include "canvas/drawn_graph.h"

#include <vector>

namespace aotscope {

/// Row of each node, 0 at the top. Forward flow goes down, backward flow goes up, and a backward node is in the row of
/// its forward partner where possible.
std::vector<int> ladderRows(const DrawnGraph& graph);

/// Row of each node by its longest path from an input; inputs next to their first user.
std::vector<int> flowRows(const DrawnGraph& graph);

}  // namespace aotscope
