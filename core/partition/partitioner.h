#pragma once

#include "ir/metadata.h"
#include "partition/budget.h"
#include "partition/joint_facts.h"
#include "record/partition.h"
#include "support/progress.h"

namespace aotscope {

/// partitionJoint for known facts. `options` must be a result of withOverrides; `metadata`: of the function.
Partition partitionByFacts(const JointFacts& facts, const PartitionOptions& options, const RuntimeModel& model,
                           const FunctionMetadata& metadata, const Progress& progress);

/// The partition for a given cut.
Partition partitionAlong(const JointFacts& facts, BudgetedCut chosen);

}  // namespace aotscope
