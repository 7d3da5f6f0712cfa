#pragma once

#include "partition/what_if.h"
#include "record/compile_record.h"

namespace aotscope {

/// `record` with its joint graph split according to `options`, as a new run does it. Throws Error if there is no joint
/// graph or no such partition.
std::shared_ptr<const CompileRecord> repartition(const CompileRecord& record, const PartitionOptions& options,
                                                 const RuntimeModel& model);

/// What-if on the joint graph of `record`: what it answers is what a run with the same options gets, be it of a model,
/// of printed graphs or of a session file. Throws Error if there is no joint
/// graph; where it cannot be split, every answer does.
std::shared_ptr<const PartitionWhatIf> whatIfOn(const CompileRecord& record, RuntimeModel model);

}  // namespace aotscope
