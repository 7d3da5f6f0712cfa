#pragma once

#include "io/run_difference.h"
#include "record/partition.h"

#include <string>

namespace aotscope {

/// Tables of what is saved, what is recomputed and why, and the totals. `joint`: where decisions have their nodes.
std::string partitionDetails(const Partition& partition, const Graph& joint);

/// What distinguishes two runs, as tables; "no difference" if nothing does.
std::string differenceText(const RunDifference& difference);

}  // namespace aotscope
