#pragma once

#include "partition/joint_facts.h"
#include "record/partition_options.h"

namespace aotscope {

/// `options` with all overrides (nodes to save or recompute) checked and in `options.cut`: names are looked up, and
/// who recomputes an element of a tuple recomputes the tuple. Throws Error for names that the graph does not have and
/// for overrides that cannot be.
PartitionOptions withOverrides(const JointFacts& facts, PartitionOptions options);

/// The number of the node that `name` names: a node's name, with or without %, or the user's name of an input.
/// Throws Error with similar names if there is none.
int nodeByName(const JointFacts& facts, std::string_view name);

}  // namespace aotscope
