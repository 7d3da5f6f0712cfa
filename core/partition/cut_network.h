#pragma once

#include "record/partition.h"

#include <vector>

namespace aotscope {

/// Vertices of a shortest path of infinite edges from source to sink; empty if there is none, and a finite cut exists.
std::vector<int> unboundedPath(const CutNetwork& network);

/// Fills in the flow of a maximum flow, and the side of the minimum cut nearest to the sink.
/// No path of infinite edges may lead from source to sink.
void findMinimumCut(CutNetwork& network);

}  // namespace aotscope
