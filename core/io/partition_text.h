#pragma once

#include "record/partition.h"

#include <string>

namespace aotscope {

/// Tables of saved and recomputed values with the reasons, and totals. `joint`: the graph that decisions refer to.
std::string partitionDetails(const Partition& partition, const Graph& joint);

}  // namespace aotscope
