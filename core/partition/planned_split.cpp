#include "partition/planned_split.h"

#include "partition/extract.h"
#include "partition/overrides.h"
#include "support/error.h"

namespace aotscope {

namespace {

std::string quoted(const JointFacts& facts, int i) { return "%" + facts.node(i)->name(); }

/// Why the backward cannot recompute a value of the forward; empty if it can.
std::string whyNotAgain(const JointFacts& facts, int i) {
    const JointNodeFacts& value = facts[i];
    if (facts.node(i)->kind() == NodeKind::placeholder) return "it is an input, which nothing computes";
    if (!value.repeatable) return "its graphs draw random numbers and would draw others the second time";
    if (value.copiesMutatedInput) return "it copies an input that is overwritten before the backward runs";
    if (value.writes) return "its operation writes or checks something, which must happen only once";
    return "";
}

/// Walks from the outputs of the backward to saved values.
class NeededValues {
public:
    NeededValues(const JointFacts& facts, const std::vector<int>& saved)
        : facts_(facts), seen_(static_cast<std::size_t>(facts.size())) {
        for (const int i : saved) seen_[static_cast<std::size_t>(i)] = true;
    }

    /// Throws Error for the first value that is neither saved nor recomputable.
    void requireAll() {
        for (int i = 0; i < facts_.size(); ++i) {
            if (facts_[i].dependsOnTangent) visit(i);
            if (facts_.node(i)->kind() == NodeKind::output) visitGradients();
        }
        while (!pending_.empty()) {
            const int i = pending_.back();
            pending_.pop_back();
            for (const int input : facts_.inputs(i)) need(input, i);
        }
    }

private:
    void visitGradients() {
        const auto& outputs = facts_.joint().outputs();
        for (std::size_t at = facts_.joint().forwardOutputCount(); at < outputs.size(); ++at)
            if (const Node* gradient = outputs[at].node()) need(facts_.indexOf(gradient), facts_.size() - 1);
    }
    void visit(int i) {
        if (seen_[static_cast<std::size_t>(i)] || facts_.node(i)->kind() == NodeKind::output) return;
        seen_[static_cast<std::size_t>(i)] = true;
        pending_.push_back(i);
    }
    void need(int i, int user) {
        if (seen_[static_cast<std::size_t>(i)] || facts_[i].tangent || facts_.node(i)->kind() == NodeKind::output)
            return;
        if (!facts_[i].dependsOnTangent)
            if (const std::string why = whyNotAgain(facts_, i); !why.empty()) refuse(i, user, why);
        visit(i);
    }
    [[noreturn]] void refuse(int i, int user, const std::string& why) const {
        const bool last = facts_.node(user)->kind() == NodeKind::output;
        const bool savesUser = !last && !facts_[user].dependsOnTangent && facts_.node(user)->type.tensor();
        throw Error("the plan does not save " + quoted(facts_, i) + ", which the backward needs for " +
                    (last ? "a gradient" : quoted(facts_, user)) + " and cannot compute: " + why + "; save " +
                    quoted(facts_, i) + (savesUser ? " or " + quoted(facts_, user) : ""));
    }

    const JointFacts& facts_;
    std::vector<bool> seen_;
    std::vector<int> pending_;
};

/// Sorted, each once.
std::vector<int> valuesToSave(const JointFacts& facts, const PartitionOptions& options) {
    std::set<int> saved;
    for (const NodeId id : options.cut.mustSave) saved.insert(facts.indexOf(id));
    std::set<int> again;
    for (const NodeId id : options.cut.mustRecompute) again.insert(facts.indexOf(id));
    for (const std::string& name : options.plan) {
        const int i = nodeByName(facts, name);
        requireSavable(facts, i);
        if (!again.contains(i) && !again.contains(facts.producer(i))) saved.insert(i);
    }
    return {saved.begin(), saved.end()};
}

}  // namespace

std::vector<ValueDecision> undecided(const JointFacts& facts) {
    std::vector<ValueDecision> decisions(static_cast<std::size_t>(facts.size()));
    for (int i = 0; i < facts.size(); ++i) {
        ValueDecision& d = decisions[static_cast<std::size_t>(i)];
        d.node = facts.node(i)->id();
        d.bytes = facts[i].bytes;
        d.distance = facts[i].distance;
        d.materialized = facts[i].materialized;
        d.capacity = -1;
    }
    return decisions;
}

Partition partitionByPlan(const JointFacts& facts, const PartitionOptions& options) {
    const std::vector<int> saved = valuesToSave(facts, options);
    NeededValues(facts, saved).requireAll();
    auto decisions = undecided(facts);
    for (ValueDecision& decision : decisions) decision.exemption = Exemption::planned;
    return buildPartition(facts, saved, PartitionAlgorithm::planned, std::move(decisions));
}

}  // namespace aotscope
