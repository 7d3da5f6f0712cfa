#pragma once

#include "record/partition.h"
#include "record/table.h"

namespace aotscope {

/// A row for each value that backward gets from forward, for each that it computes again, and for each override that
/// has no effect, in this order; the lists of the partition keep theirs. `joint` may be null. `asked`: what the
/// partition was made with.
Table partitionTable(const Partition& partition, const Graph* joint, const PartitionOptions& asked);

}  // namespace aotscope
