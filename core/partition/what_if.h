#pragma once

#include "cost/runtime_model.h"
#include "ir/metadata.h"
#include "partition/joint_to_split.h"
#include "record/partition.h"
#include "support/progress.h"

#include <memory>
#include <vector>

namespace aotscope {

/// One point of a sweep over memory budgets.
struct ParetoPoint {
    double budget = 1;
    std::shared_ptr<const Partition> partition;
    double recomputeCost = 0;  ///< of recomputed values, in units of the estimator
};

/// Partitions of one joint graph under different options: everything independent of the options is computed once, so
/// that each partition takes milliseconds. Thread-safe. whatIfOn (passes/repartition.h) creates one whose partitions
/// are those of a run with the same options.
class PartitionWhatIf {
public:
    /// `joint` is the input of every partitioner.
    explicit PartitionWhatIf(std::shared_ptr<const Graph> joint, RuntimeModel model = {});
    /// `metadata`: of the function, for the peak that limits moves of collectives.
    PartitionWhatIf(JointToSplit byMinCut, JointToSplit byDefault, RuntimeModel model, FunctionMetadata metadata);
    ~PartitionWhatIf();

    /// The input of the min-cut partitioner.
    const Graph& joint() const;
    /// `options` with all overrides by id, like withOverrides().
    PartitionOptions byId(const PartitionOptions& options) const;
    /// Like partitionJoint, with collectives moved according to the options.
    std::shared_ptr<const Partition> partition(const PartitionOptions& options, const Progress& progress = {}) const;
    /// The partition at each budget, in order, with all other options from `options`.
    std::vector<ParetoPoint> sweep(const std::vector<double>& budgets, const PartitionOptions& options,
                                   const Progress& progress) const;

private:
    struct State;
    std::unique_ptr<const State> state_;
};

}  // namespace aotscope
