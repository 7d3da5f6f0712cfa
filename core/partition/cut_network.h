#pragma once

#include "record/partition.h"

#include <vector>

namespace aotscope {

/// The vertices of a shortest path of infinite edges from source to sink; empty if a finite cut exists.
std::vector<int> unboundedPath(const CutNetwork& network);

/// Computes a maximum flow and the minimum cut nearest to the sink. There must be no path of infinite edges from source
/// to sink.
void findMinimumCut(CutNetwork& network);

}  // namespace aotscope
