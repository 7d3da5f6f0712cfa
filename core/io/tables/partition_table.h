#pragma once

#include "record/partition.h"
#include "record/table.h"

namespace aotscope {

/// "f32[s0, 64]", or "Sym(2*s0)" for a size.
std::string formatType(const Partition& partition, const SavedValue& value);

/// A row for each value that the backward gets from the forward, for each recomputed value, and for each override
/// without effect, in this order and that of the partition's lists. `joint` may be null. `asked`: the options of the
/// partition.
Table partitionTable(const Partition& partition, const Graph* joint, const PartitionOptions& asked);

}  // namespace aotscope
