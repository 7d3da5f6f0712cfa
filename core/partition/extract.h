#pragma once

#include "partition/joint_facts.h"
#include "record/partition.h"

#include <vector>

namespace aotscope {

/// Builds forward and backward from a joint graph and the values to save, and fills in the Partition except for how the
/// values were chosen; `decisions`, one for each node, get their placements. Drops saved values that the backward does
/// not use. Forward outputs: forward returns, saved tensors, saved symints. Backward inputs: symints, tensors,
/// tangents. A random operation that runs in both adds its RNG state as a saved tensor. Source:
/// _extract_fwd_bwd_modules in torch/_functorch/partitioners.py.
Partition buildPartition(const JointFacts& facts, const std::vector<int>& saved, PartitionAlgorithm algorithm,
                         std::vector<ValueDecision> decisions);

}  // namespace aotscope
