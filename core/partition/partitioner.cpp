#include "partition/partitioner.h"

#include "partition/extract.h"
#include "partition/overrides.h"
#include "partition/partition_joint.h"
#include "partition/plan/peak_planner.h"
#include "partition/planned_split.h"
#include "partition/recompute_tags.h"

#include <algorithm>

namespace aotscope {

namespace {

/// Splits at the boundary between forward and backward as traced. Values that the user wants recomputed are not saved;
/// the values that they are computed from are.
class DefaultSplit {
public:
    DefaultSplit(const JointFacts& facts, const PartitionOptions& options)
        : facts_(facts), decisions_(undecided(facts)), again_(decisions_.size()) {
        const RecomputeTags tags(facts, options);
        for (const NodeId id : options.cut.mustRecompute) again_[static_cast<std::size_t>(facts.indexOf(id))] = true;
        for (int i = 0; i < facts.size(); ++i) {
            ValueDecision& d = decisions_[static_cast<std::size_t>(i)];
            if (again_[static_cast<std::size_t>(i)]) d.exemption = Exemption::mustRecompute;
            else if (tags.mustRecompute(i)) d.exemption = Exemption::checkpointed;
            if (const auto& reason = tags.mustSave(i)) d.bans.push_back(*reason);
            again_[static_cast<std::size_t>(i)] = d.exemption != Exemption::none;
        }
    }

    Partition run() {
        std::vector<int> saved;
        for (int i = 0; i < facts_.size(); ++i) {
            if (!inForward(i) || again_[static_cast<std::size_t>(i)] || isTupleOfElements(i)) continue;
            const auto users = facts_.users(i);
            if (std::any_of(users.begin(), users.end(), [&](int user) { return needs(user); }) && !onlyItsSizes(i))
                saved.push_back(i);
            if (onlyItsSizes(i))
                for (int user : users)
                    if (needs(user)) saved.push_back(user);
        }
        std::sort(saved.begin(), saved.end());
        saved.erase(std::unique(saved.begin(), saved.end()), saved.end());
        return buildPartition(facts_, saved, PartitionAlgorithm::defaultPartition, std::move(decisions_));
    }

private:
    /// Traced before the backward, without tangents.
    bool inForward(int i) const {
        const Node* node = facts_.node(i);
        return node->stage == Stage::forward && !facts_[i].tangent && node->kind() != NodeKind::output;
    }
    /// Whether a user runs in the backward. The output counts as one: a gradient that is a forward value is saved.
    bool needs(int user) const { return !inForward(user) || again_[static_cast<std::size_t>(user)]; }
    bool isTupleOfElements(int i) const {
        const auto users = facts_.users(i);
        return facts_.node(i)->type.tuple() && !users.empty() &&
               std::all_of(users.begin(), users.end(), [&](int user) { return facts_[user].getitem; });
    }
    /// A tensor of which the backward only needs sizes, which are saved instead.
    bool onlyItsSizes(int i) const {
        const auto users = facts_.users(i);
        return facts_.node(i)->type.tensor() && std::all_of(users.begin(), users.end(), [&](int user) {
                   return !needs(user) || facts_.node(user)->type.scalar();
               });
    }

    const JointFacts& facts_;
    std::vector<ValueDecision> decisions_;
    std::vector<bool> again_;  ///< to be recomputed
};

}  // namespace

Partition partitionAlong(const JointFacts& facts, BudgetedCut chosen) {
    Partition partition =
        buildPartition(facts, chosen.cut.saved, PartitionAlgorithm::minCut, std::move(chosen.cut.decisions));
    partition.network = std::move(chosen.cut.network);
    partition.budget = std::move(chosen.outcome);
    return partition;
}

Partition partitionByFacts(const JointFacts& facts, const PartitionOptions& options, const RuntimeModel& model,
                           const FunctionMetadata& metadata, const Progress& progress) {
    if (options.algorithm == PartitionAlgorithm::planned) {
        return plansByPeak(options) ? partitionByPeak(facts, options, {model, metadata, progress})
                                    : partitionByPlan(facts, options);
    }
    if (options.algorithm != PartitionAlgorithm::minCut || facts.backwardIsEmpty())
        return DefaultSplit(facts, options).run();
    return partitionAlong(facts, BudgetChooser(facts, options, model).at(options.memoryBudget));
}

Partition partitionJoint(const Graph& joint, const PartitionOptions& options, const RuntimeModel& model) {
    const JointFacts facts(joint);
    return partitionByFacts(facts, withOverrides(facts, options), model, {}, {});
}

Partition partitionJoint(const JointToSplit& joint, const PartitionOptions& options, const RuntimeModel& model,
                         const FunctionMetadata& metadata, const Progress& progress) {
    const JointFacts facts(*joint.graph);
    return partitionByFacts(facts, withOverrides(facts, optionsFor(joint, options)), model, metadata, progress);
}

Partition partitionByDefault(const Graph& joint) {
    PartitionOptions options;
    options.algorithm = PartitionAlgorithm::defaultPartition;
    return partitionJoint(joint, options);
}

Partition partitionByMinCut(const Graph& joint, const MinCutOptions& options) {
    PartitionOptions all;
    all.cut = options;
    return partitionJoint(joint, all);
}

}  // namespace aotscope
