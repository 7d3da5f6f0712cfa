#pragma once

#include "partition/joint_facts.h"
#include "record/partition.h"

namespace aotscope {

/// What the partitioner knows of every value before it decides; no costs are asked for.
std::vector<ValueDecision> undecided(const JointFacts& facts);

/// Saves the values of `options.plan`, those to be saved in addition to it, and no others; what is to be recomputed is
/// not saved, either. `options` have been through withOverrides. Throws Error, which names the value, for one that does
/// not exist or cannot be saved, and where the backward needs a value that cannot be computed from what is saved.
Partition partitionByPlan(const JointFacts& facts, const PartitionOptions& options);

}  // namespace aotscope
