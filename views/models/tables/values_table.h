#pragma once

#include "models/tables/table_content.h"
#include "record/options/partition_options.h"

namespace aotscope {

/// One row for each value that the backward gets from the forward or recomputes, and for each override that has no
/// effect. `asked`: the options behind the partition of `record`.
TableContent valuesTable(const CompileRecord& record, const PartitionOptions& asked);

}  // namespace aotscope
