#include "partition/what_if.h"

#include "partition/move_collectives.h"
#include "partition/overrides.h"
#include "partition/partitioner.h"

namespace aotscope {

struct PartitionWhatIf::State {
    std::shared_ptr<const Graph> joint;
    RuntimeModel model;
    JointFacts facts;
    FunctionMetadata metadata;

    std::shared_ptr<const Partition> finished(Partition partition, const PartitionOptions& options) const {
        return std::make_shared<Partition>(withMovedCollectives(std::move(partition), *joint, metadata, options.moves));
    }
};

PartitionWhatIf::PartitionWhatIf(std::shared_ptr<const Graph> joint, RuntimeModel model, FunctionMetadata metadata) {
    JointFacts facts(*joint);
    state_ =
        std::make_unique<const State>(State{std::move(joint), std::move(model), std::move(facts), std::move(metadata)});
}

PartitionWhatIf::~PartitionWhatIf() = default;

const Graph& PartitionWhatIf::joint() const { return *state_->joint; }

PartitionOptions PartitionWhatIf::byId(const PartitionOptions& options) const {
    return withOverrides(state_->facts, options);
}

std::shared_ptr<const Partition> PartitionWhatIf::partition(const PartitionOptions& options) const {
    return state_->finished(partitionByFacts(state_->facts, withOverrides(state_->facts, options), state_->model),
                            options);
}

std::vector<ParetoPoint> PartitionWhatIf::sweep(const std::vector<double>& budgets, const PartitionOptions& options,
                                                const Progress& progress) const {
    const JointFacts& facts = state_->facts;
    const PartitionOptions overrides = withOverrides(facts, options);
    BudgetChooser chooser(facts, overrides, state_->model);
    std::vector<ParetoPoint> points;
    for (const double budget : budgets) {
        progress.throwIfCancelled();
        ParetoPoint point{budget, nullptr, 0};
        if (overrides.algorithm != PartitionAlgorithm::minCut || facts.backwardIsEmpty())
            point.partition = state_->finished(partitionByFacts(facts, overrides, state_->model), options);
        else point.partition = state_->finished(partitionAlong(facts, chooser.at(budget)), options);
        for (const RecomputedValue& value : point.partition->recomputed)
            point.recomputeCost += chooser.runtimeOf(facts.indexOf(value.node));
        points.push_back(std::move(point));
    }
    return points;
}

}  // namespace aotscope
