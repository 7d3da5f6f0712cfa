#pragma once

#include "cost/runtime_model.h"
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
    double recomputeCost = 0;  ///< of what is computed twice, in units of the estimator
};

/// What-if on one joint graph: what does not depend on the options is found out once, then every question is answered
/// in milliseconds. Safe to use from several threads at a time.
class PartitionWhatIf {
public:
    /// `joint` as it goes into the partitioner: after dead-code and common-subexpression elimination.
    explicit PartitionWhatIf(std::shared_ptr<const Graph> joint, RuntimeModel model = {});
    ~PartitionWhatIf();

    const Graph& joint() const;
    /// As partitionJoint.
    std::shared_ptr<const Partition> partition(const PartitionOptions& options) const;
    /// The partition at each budget, all else as in `options`, in the order of `budgets`.
    std::vector<ParetoPoint> sweep(const std::vector<double>& budgets, const PartitionOptions& options,
                                   const Progress& progress) const;

private:
    struct State;
    std::unique_ptr<const State> state_;
};

}  // namespace aotscope
