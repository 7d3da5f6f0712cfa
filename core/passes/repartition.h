#pragma once

#include "partition/what_if.h"
#include "record/compile_record.h"

namespace aotscope {

/// `record` with its joint graph partitioned by `options`, like a new run. `plans`: for a partition function. Throws
/// Error without a joint graph or such a partition.
std::shared_ptr<const CompileRecord> repartition(const CompileRecord& record, const PartitionOptions& options,
                                                 const RuntimeModel& model, PlanSource plans = {});

/// What-if for the joint graph of `record`, with the same results as a run with the same options on a model, printed
/// graphs or a session file. Throws Error without a joint graph; if it cannot be split, every partition throws.
std::shared_ptr<const PartitionWhatIf> whatIfOn(const CompileRecord& record, RuntimeModel model, PlanSource plans = {});

}  // namespace aotscope
