#pragma once

#include "partition/joint_facts.h"
#include "record/options/partition_options.h"

namespace aotscope {

/// `options` with all overrides (nodes to save or recompute, parameters to reshard) checked and moved to `options.cut`
/// by id. Recomputing an element of a tuple recomputes the tuple. Throws Error for unknown names and impossible
/// overrides.
PartitionOptions withOverrides(const JointFacts& facts, PartitionOptions options);

/// Throws Error if the value cannot be saved for the backward.
void requireSavable(const JointFacts& facts, int i);

/// The reverse: overrides by id moved to `options.save` and `options.recompute` by the names of nodes in `joint`.
/// Unknown ids are dropped.
PartitionOptions withNamedOverrides(const Graph& joint, PartitionOptions options);

/// The number of the node called `name`: a node's name, with or without %, or the user's name of an input. Throws
/// Error, suggesting similar names, if it does not exist.
int nodeByName(const JointFacts& facts, std::string_view name);

}  // namespace aotscope
