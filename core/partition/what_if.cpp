#include "partition/what_if.h"

#include "partition/move_collectives.h"
#include "partition/order/order_for_memory.h"
#include "partition/overrides.h"
#include "partition/partitioner.h"
#include "record/saved_copies.h"

namespace aotscope {

struct PartitionWhatIf::State {
    /// The input of one of the partitioners.
    struct KnownJoint {
        explicit KnownJoint(JointToSplit given) : joint(std::move(given)), facts(*joint.graph) {}

        PartitionOptions byId(const PartitionOptions& options) const {
            return withOverrides(facts, optionsFor(joint, options));
        }

        JointToSplit joint;
        JointFacts facts;
    };
    std::shared_ptr<const KnownJoint> byMinCut, byDefault;  ///< the same object if the graphs are equal
    RuntimeModel model;
    FunctionMetadata metadata;

    const KnownJoint& jointFor(const PartitionOptions& options) const {
        return mergesOperations(options.algorithm) ? *byMinCut : *byDefault;
    }
    std::shared_ptr<const Partition> finished(Partition partition, const Graph& joint,
                                              const PartitionOptions& options) const {
        explainCopies(partition, metadata);
        if (options.order == OperationOrdering::memory)
            partition = withOrder(std::move(partition), joint, metadata, model);
        return std::make_shared<Partition>(withMovedCollectives(std::move(partition), joint, metadata, options.moves));
    }
};

PartitionWhatIf::PartitionWhatIf(std::shared_ptr<const Graph> joint, RuntimeModel model)
    : PartitionWhatIf(JointToSplit{joint}, JointToSplit{joint}, std::move(model), {}) {}

PartitionWhatIf::PartitionWhatIf(JointToSplit byMinCut, JointToSplit byDefault, RuntimeModel model,
                                 FunctionMetadata metadata) {
    const bool same = byMinCut.graph == byDefault.graph;
    const auto first = std::make_shared<const State::KnownJoint>(std::move(byMinCut));
    const auto second = same ? first : std::make_shared<const State::KnownJoint>(std::move(byDefault));
    state_ = std::make_unique<const State>(State{first, second, std::move(model), std::move(metadata)});
}

PartitionWhatIf::~PartitionWhatIf() = default;

const Graph& PartitionWhatIf::joint() const { return *state_->byMinCut->joint.graph; }

PartitionOptions PartitionWhatIf::byId(const PartitionOptions& options) const {
    return state_->jointFor(options).byId(options);
}

std::shared_ptr<const Partition> PartitionWhatIf::partition(const PartitionOptions& options,
                                                            const Progress& progress) const {
    const State::KnownJoint& known = state_->jointFor(options);
    return state_->finished(
        partitionByFacts(known.facts, known.byId(options), state_->model, state_->metadata, progress),
        *known.joint.graph, options);
}

std::vector<ParetoPoint> PartitionWhatIf::sweep(const std::vector<double>& budgets, const PartitionOptions& options,
                                                const Progress& progress) const {
    const State::KnownJoint& known = state_->jointFor(options);
    const JointFacts& facts = known.facts;
    const Graph& joint = *known.joint.graph;
    const PartitionOptions overrides = known.byId(options);
    BudgetChooser chooser(facts, overrides, state_->model);
    std::vector<ParetoPoint> points;
    for (const double budget : budgets) {
        progress.throwIfCancelled();
        ParetoPoint point{budget, nullptr, 0};
        if (overrides.algorithm != PartitionAlgorithm::minCut || facts.backwardIsEmpty())
            point.partition = state_->finished(
                partitionByFacts(facts, overrides, state_->model, state_->metadata, progress), joint, options);
        else point.partition = state_->finished(partitionAlong(facts, chooser.at(budget)), joint, options);
        for (const RecomputedValue& value : point.partition->recomputed)
            point.recomputeCost += chooser.runtimeOf(facts.indexOf(value.node));
        points.push_back(std::move(point));
    }
    return points;
}

}  // namespace aotscope
