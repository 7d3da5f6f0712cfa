#pragma once

#include "io/run_difference.h"
#include "record/partition.h"

#include <string>

namespace aotscope {

/// Tables of saved and recomputed values with the reasons, and totals. `joint`: the graph that decisions refer to.
std::string partitionDetails(const Partition& partition, const Graph& joint);

/// The differences between two partitions as tables; "no difference" if there are none.
std::string differenceText(const RunDifference& difference);

}  // namespace aotscope
