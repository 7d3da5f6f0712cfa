#pragma once

#include "cost/live_memory.h"
#include "cost/runtime_model.h"
#include "ir/metadata.h"
#include "partition/joint_facts.h"
#include "record/partition.h"
#include "support/progress.h"

namespace aotscope {

/// What a planner needs besides the graph.
struct PlanningContext {
    const RuntimeModel& model;
    const FunctionMetadata& metadata;  ///< of the function
    const Progress& progress;
};

/// Where the peak of a planned partition is now, for a plan whose graphs have been changed.
void notePeak(PeakPlan& plan, const LiveMemory& memory);

/// The partition that recomputes least while the predicted peak of forward and backward, in the order and with the
/// compilers that they will have, is at or under `options.peak`, with what is proved about it (Partition::plan). If no
/// plan found holds the limit, the one with the lowest peak. `options` must be a result of withOverrides; their
/// overrides, policies and tags hold. Throws Cancelled.
Partition partitionByPeak(const JointFacts& facts, const PartitionOptions& options, const PlanningContext& context);

}  // namespace aotscope
