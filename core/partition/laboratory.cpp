#include "partition/laboratory.h"

namespace aotscope {

struct PartitionLaboratory::State {
    std::shared_ptr<const Graph> joint;
    RuntimeModel model;
};

PartitionLaboratory::PartitionLaboratory(std::shared_ptr<const Graph> joint, RuntimeModel model)
    : state_(std::make_unique<const State>(State{std::move(joint), std::move(model)})) {}

PartitionLaboratory::~PartitionLaboratory() = default;

const Graph& PartitionLaboratory::joint() const { return *state_->joint; }

std::shared_ptr<const Partition> PartitionLaboratory::partition(const PartitionOptions& options) const {
    return std::make_shared<Partition>(partitionJoint(*state_->joint, options, state_->model));
}

std::vector<ParetoPoint> PartitionLaboratory::sweep(const std::vector<double>& budgets, const PartitionOptions& options,
                                                    const Progress& progress) const {
    std::vector<ParetoPoint> points;
    for (const double budget : budgets) {
        progress.throwIfCancelled();
        PartitionOptions at = options;
        at.memoryBudget = budget;
        points.push_back({budget, partition(at), 0});
    }
    return points;
}

}  // namespace aotscope
