#pragma once

#include "partition/joint_facts.h"
#include "record/partition.h"

namespace aotscope {

/// The partitioner's facts about every value before it decides, without costs.
std::vector<ValueDecision> undecided(const JointFacts& facts);

/// Saves the values of `options.plan` and overrides to save, except overrides to recompute, and no others. `options`
/// must be a result of withOverrides. Throws Error, naming the value, for one that does not exist or cannot be saved,
/// and if the backward needs a value that cannot be computed from the saved ones.
Partition partitionByPlan(const JointFacts& facts, const PartitionOptions& options);

}  // namespace aotscope
