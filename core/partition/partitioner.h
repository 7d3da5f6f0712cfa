#pragma once

#include "partition/budget.h"
#include "partition/joint_facts.h"
#include "record/partition.h"

namespace aotscope {

/// partitionJoint for known facts. `options` must be a result of withOverrides.
Partition partitionByFacts(const JointFacts& facts, const PartitionOptions& options, const RuntimeModel& model);

/// The partition for a given cut.
Partition partitionAlong(const JointFacts& facts, BudgetedCut chosen);

}  // namespace aotscope
