#pragma once

#include "cost/runtime_model.h"
#include "record/partition.h"

namespace aotscope {

/// Splits a joint graph (after dead-code and common-subexpression elimination) at the boundary between forward
/// and backward as traced: every forward value that the backward uses is saved.
Partition partitionByDefault(const Graph& joint);

/// Splits a joint graph where the fewest bytes cross, recomputing cheap operations in the backward.
/// Source of the rules: PyTorch 2.13, min_cut_rematerialization_partition.
/// Throws UnboundedCut if no finite cut exists.
Partition partitionByMinCut(const Graph& joint, const MinCutOptions& options);

/// Splits a joint graph as `options` say. Throws Error for names that it does not have and for overrides that are
/// impossible.
Partition partitionJoint(const Graph& joint, const PartitionOptions& options, const RuntimeModel& model = {});

}  // namespace aotscope
