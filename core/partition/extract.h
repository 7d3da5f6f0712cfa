#pragma once

#include "partition/partition.h"

#include <functional>

namespace aotscope {

/// Builds forward and backward from a joint graph and the values to save, and fills in everything of a
/// Partition but its decisions. Saved values that the backward does not use are dropped.
/// `reason` says for a saved node why it is saved.
/// Forward outputs: forward returns, saved tensors, saved symints. Backward inputs: symints, tensors, tangents.
Partition buildPartition(const Graph& joint, const std::vector<Node*>& saved, PartitionAlgorithm algorithm,
                         const std::function<std::string(const Node*)>& reason);

}  // namespace aotscope
