#include "partition/recompute_tags.h"

#include "ops/classify.h"
#include "query/query.h"
#include "support/error.h"

#include <algorithm>
#include <map>
#include <unordered_set>

namespace aotscope {

namespace {

/// "must_save=op:mm": an argument of --policy.
struct Policy {
    CheckpointPolicy policy;
    Query query;
};

Policy parsePolicy(const std::string& text) {
    const auto [policy, query] = splitPolicy(text);
    try {
        return {policy, Query::parse(query)};
    } catch (const QueryError& e) {
        throw Error("--policy " + text + ": " + e.what());
    }
}

bool recomputes(CheckpointPolicy policy) {
    return policy == CheckpointPolicy::mustRecompute || policy == CheckpointPolicy::preferRecompute;
}

}  // namespace

RecomputeTags::RecomputeTags(const JointFacts& facts, const PartitionOptions& options)
    : facts_(facts), tags_(static_cast<std::size_t>(facts.size())) {
    readTags();
    apply(options.policies);
    for (const auto& overrides : {options.cut.mustSave, options.cut.mustRecompute})
        for (const NodeId id : overrides) tag(facts.indexOf(id)).policy = CheckpointPolicy::none;
    dropWhatCannotBeRepeated();
    saveBetweenRegions();
    saveCollectivesAndEffects();
    saveSourcesOfMutation();
    for (Tag& tag : tags_)
        if (tag.policy == CheckpointPolicy::mustSave && !tag.saved) tag.saved = BanReason::tagged;
}

bool RecomputeTags::mustRecompute(int i) const { return recomputes(tag(i).policy); }

void RecomputeTags::save(int i, BanReason reason) {
    tag(i).policy = CheckpointPolicy::mustSave;
    tag(i).saved = reason;
}

void RecomputeTags::readTags() {
    for (int i = 0; i < facts_.size(); ++i)
        if (isTaggable(i)) static_cast<CheckpointTag&>(tag(i)) = facts_.node(i)->checkpoint;
}

/// Whether a region of the forward can contain the node.
bool RecomputeTags::isTaggable(int i) const {
    return facts_[i].call && !facts_[i].dependsOnTangent && facts_.node(i)->stage == Stage::forward;
}

/// Later policies come before earlier ones. Each one that recomputes defines a region, like a checkpointed module.
void RecomputeTags::apply(const std::vector<std::string>& policies) {
    if (policies.empty()) return;
    std::int32_t regions = numberRegions();
    for (const std::string& text : policies) {
        const Policy policy = parsePolicy(text);
        bool matched = false;
        for (int i = 0; i < facts_.size(); ++i) {
            if (!isTaggable(i)) continue;
            QueryFacts operation;  // an element is tagged with its tuple
            operation.node = facts_.node(facts_.producer(i));
            if (!policy.query.matches(operation)) continue;
            matched = true;
            tag(i).policy = policy.policy;
            if (recomputes(policy.policy)) tag(i).region = regions;
        }
        if (!matched)
            throw Error("--policy " + text +
                        ": no operation of the forward matches; 'aotscope export MODEL --graph joint' shows them");
        regions += recomputes(policy.policy);
    }
    numberRegions();
}

/// In order of execution. Returns their number.
std::int32_t RecomputeTags::numberRegions() {
    std::map<std::int32_t, std::int32_t> numbers;
    for (Tag& tag : tags_)
        if (tag.region >= 0)
            tag.region = numbers.try_emplace(tag.region, static_cast<std::int32_t>(numbers.size())).first->second;
    return static_cast<std::int32_t>(numbers.size());
}

/// Random operations can run again with their RNG state, except those within subgraphs.
void RecomputeTags::dropWhatCannotBeRepeated() {
    for (int i = 0; i < facts_.size(); ++i) {
        const JointNodeFacts& operation = facts_[facts_.producer(i)];
        const bool writes = operation.writes && !operation.collective;
        if (mustRecompute(i) && (!operation.repeatable || writes || operation.copiesMutatedInput))
            tag(i).policy = CheckpointPolicy::none;
    }
}

/// Between regions without an operation in between, saves the value at the border: otherwise both would be recomputed
/// together.
void RecomputeTags::saveBetweenRegions() {
    for (int i = 0; i < facts_.size(); ++i) {
        if (!mustRecompute(i) || tag(i).region < 0) continue;
        const auto users = facts_.users(i);
        const bool border = std::any_of(users.begin(), users.end(), [&](int user) {
            return mustRecompute(user) && tag(user).region > tag(i).region;
        });
        if (border) save(i, BanReason::regionBorder);
    }
}

void RecomputeTags::saveCollectivesAndEffects() {
    for (int i = 0; i < facts_.size(); ++i) {
        if (tag(i).saved || mustRecompute(i) || tag(i).policy == CheckpointPolicy::mustSave) continue;
        if (facts_[i].collective) save(i, BanReason::collective);
        else if (facts_[i].call && isEffectful(*facts_.node(i))) save(i, BanReason::effect);
    }
}

/// If the forward and the backward overwrite the same input, saves what the forward writes, so that it is not
/// recomputed from the new values. Such writes come last in a joint graph.
void RecomputeTags::saveSourcesOfMutation() {
    std::unordered_set<const Node*> overwritten;  // in the backward
    for (int i = facts_.size() - 1; i >= 0; --i) {
        const Node& node = *facts_.node(i);
        if (node.kind() == NodeKind::output) continue;
        if (!node.isCall("aten.copy_.default") || node.args().size() < 2) break;
        const Node *target = node.args()[0].node(), *source = node.args()[1].node();
        if (node.stage == Stage::backward) overwritten.insert(target);
        else if (source && overwritten.contains(target)) save(facts_.indexOf(source), BanReason::mutationSource);
    }
}

}  // namespace aotscope
