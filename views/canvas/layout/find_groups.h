#pragma once

#include "canvas/layout/groups.h"

namespace aotscope {

/// The boxes of a picture that are in one of its subgraphs; -1: in none.
std::vector<int> boxesIn(const DrawnGraph& graph, int subgraph);

/// The modules of some of the boxes of `graph` as nested groups, with these boxes.
GroupTree findGroups(const DrawnGraph& graph, const std::vector<int>& boxes);

}  // namespace aotscope
