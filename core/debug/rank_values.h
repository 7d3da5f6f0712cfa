#pragma once

#include "record/history/rank_difference.h"
#include "support/progress.h"

#include <vector>

namespace aotscope {

class Debugger;

/// Runs all ranks to the end and compares the values of nodes, named as on the first rank: finds the first input that
/// differs between ranks, the first operation that computes different values from equal ones, and the first output and
/// gradient that differ. Compares the first elements and the statistics of values. Throws Error if the run fails,
/// Cancelled.
std::vector<RankDifference> compareValues(Debugger& run, const Progress& progress);

}  // namespace aotscope
