#pragma once

#include "cost/runtime_model.h"
#include "ir/metadata.h"
#include "partition/joint_to_split.h"
#include "record/partition.h"
#include "support/progress.h"

namespace aotscope {

/// Splits a joint graph (after dead-code and common-subexpression elimination) at the boundary between forward and
/// backward as traced: every forward value that the backward uses is saved. Source: default_partition in
/// torch/_functorch/partitioners.py.
Partition partitionByDefault(const Graph& joint);

/// Splits a joint graph so that the fewest bytes are saved, recomputing cheap operations in the backward. Source:
/// min_cut_rematerialization_partition in torch/_functorch/partitioners.py (PyTorch 2.13). Throws UnboundedCut if no
/// finite cut exists.
Partition partitionByMinCut(const Graph& joint, const MinCutOptions& options);

/// Splits a joint graph as `options` specify. Throws Error for unknown names and impossible overrides.
Partition partitionJoint(const Graph& joint, const PartitionOptions& options, const RuntimeModel& model = {});
/// `metadata`: of the function, for its memory.
Partition partitionJoint(const JointToSplit& joint, const PartitionOptions& options, const RuntimeModel& model,
                         const FunctionMetadata& metadata, const Progress& progress);

}  // namespace aotscope
