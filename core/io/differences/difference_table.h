#pragma once

#include "io/differences/run_difference.h"
#include "record/table.h"

namespace aotscope {

/// A row for each node that differs.
Table differenceTable(const GraphDifference& difference);
/// A row for each node, number of operations, value and fact that differs.
Table differenceTable(const RunDifference& difference);

}  // namespace aotscope
