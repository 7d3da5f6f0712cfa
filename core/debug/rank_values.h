#pragma once

#include "record/history/rank_difference.h"
#include "support/progress.h"

#include <vector>

namespace aotscope {

class RanksDebugger;

/// Runs all ranks to the end and compares the values of nodes, which have the names that they have on the first rank:
/// the first input that is not the same on all ranks, the first operation that makes different values of equal ones,
/// and the first output and gradient that differ. As far as the first elements and the statistics of a value tell.
/// Throws Error if the run fails, Cancelled.
std::vector<RankDifference> compareValues(RanksDebugger& run, const Progress& progress);

}  // namespace aotscope
