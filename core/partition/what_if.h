#pragma once

#include "cost/runtime_model.h"
#include "ir/metadata.h"
#include "partition/joint_to_split.h"
#include "record/partition.h"
#include "support/progress.h"

#include <memory>
#include <string>
#include <vector>

namespace aotscope {

/// One point of a sweep over memory budgets.
struct ParetoPoint {
    double budget = 1;
    std::shared_ptr<const Partition> partition;
    double recomputeCost = 0;  ///< of what is recomputed, in units of the estimator
};

/// What-if for one joint graph: whatever does not depend on the options is computed once, so that each partition takes
/// milliseconds. Thread-safe. For a run, whatIfOn (passes/repartition.h) makes one whose partitions are those of a run
/// with the same options.
class PartitionWhatIf {
public:
    /// `joint` as every partitioner gets it.
    explicit PartitionWhatIf(std::shared_ptr<const Graph> joint, RuntimeModel model = {});
    /// `metadata`: of the function, for the peak that collectives are moved within.
    PartitionWhatIf(JointToSplit byMinCut, JointToSplit byDefault, RuntimeModel model, FunctionMetadata metadata);
    ~PartitionWhatIf();

    /// As the min-cut partitioner gets it.
    const Graph& joint() const;
    /// `options` with all overrides by id, as withOverrides().
    PartitionOptions byId(const PartitionOptions& options) const;
    /// As partitionJoint, with collectives moved as the options ask for.
    std::shared_ptr<const Partition> partition(const PartitionOptions& options) const;
    /// The partition at each budget, with the other options from `options`, in the order of `budgets`.
    std::vector<ParetoPoint> sweep(const std::vector<double>& budgets, const PartitionOptions& options,
                                   const Progress& progress) const;

private:
    struct State;
    std::unique_ptr<const State> state_;
};

}  // namespace aotscope
