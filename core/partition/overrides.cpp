#include "partition/overrides.h"

#include "cost/unshards.h"
#include "support/error.h"
#include "support/names.h"
#include "support/quoted.h"

#include <algorithm>

namespace aotscope {

namespace {

std::string quoted(const Node& node) { return "%" + node.name(); }

[[noreturn]] void refuse(const std::string& request, const Node& node, const std::string& why) {
    throw Error(quoted(node) + " cannot be " + request + ": " + why);
}

void requireInForward(const JointFacts& facts, int i, const std::string& request) {
    const Node& node = *facts.node(i);
    if (node.kind() == NodeKind::output) refuse(request, node, "it is the graph's output, not a value");
    if (facts[i].dependsOnTangent) refuse(request, node, "it belongs to the backward; name a value of the forward");
}

std::string elementsOf(const JointFacts& facts, int i) {
    std::vector<std::string> names;
    for (int user : facts.users(i))
        if (facts[user].getitem) names.push_back(facts.node(user)->name());
    return names.empty() ? "" : "; its elements are " + quotedNames(names);
}

void checkRecomputed(const JointFacts& facts, int i) {
    const Node& node = *facts.node(i);
    requireInForward(facts, i, "recomputed");
    if (!facts[i].call) refuse("recomputed", node, "it is an input of the graph, which nothing computes");
    if (!facts[i].repeatable)
        refuse("recomputed", node, "its graphs draw random numbers and would draw others the second time");
    if (facts[i].copiesMutatedInput)
        refuse("recomputed", node, "it copies an input that is overwritten before the backward runs");
}

}  // namespace

void requireSavable(const JointFacts& facts, int i) {
    const Node& node = *facts.node(i);
    requireInForward(facts, i, "saved");
    if (!node.type.tensor() && !node.type.scalar())
        refuse("saved", node, (node.type.tuple() ? "it is a tuple" : "it is not a tensor") + elementsOf(facts, i));
}

PartitionOptions withOverrides(const JointFacts& facts, PartitionOptions options) {
    for (const NodeId id : operationsToRepeat(facts.joint(), options.reshard))
        if (!options.cut.mustSave.contains(id)) options.cut.mustRecompute.insert(id);
    for (const auto& text : options.save) options.cut.mustSave.insert(facts.node(nodeByName(facts, text))->id());
    for (const auto& text : options.recompute)
        options.cut.mustRecompute.insert(facts.node(nodeByName(facts, text))->id());
    const auto indexOf = [&](NodeId id) {
        const int i = facts.indexOf(id);
        if (i < 0) throw Error("the joint graph has no node with the id " + std::to_string(id));
        return i;
    };
    for (const NodeId id : options.cut.mustSave) requireSavable(facts, indexOf(id));
    for (const NodeId id : std::set<NodeId>(options.cut.mustRecompute))
        for (int i = indexOf(id);; i = facts.inputs(i)[0]) {
            checkRecomputed(facts, i);
            options.cut.mustRecompute.insert(facts.node(i)->id());
            if (!facts[i].getitem) break;
        }
    for (const NodeId id : options.cut.mustSave)
        if (options.cut.mustRecompute.contains(id))
            refuse("saved and recomputed", *facts.node(indexOf(id)), "remove one of the two overrides");
    options.save.clear();
    options.recompute.clear();
    options.reshard.clear();
    return options;
}

PartitionOptions withNamedOverrides(const Graph& joint, PartitionOptions options) {
    const auto move = [&](std::set<NodeId>& ids, std::vector<std::string>& names) {
        for (const NodeId id : std::exchange(ids, {}))
            if (const Node* node = joint.findById(id); node && std::ranges::count(names, node->name()) == 0)
                names.push_back(node->name());
    };
    move(options.cut.mustSave, options.save);
    move(options.cut.mustRecompute, options.recompute);
    return options;
}

int nodeByName(const JointFacts& facts, std::string_view name) {
    if (name.starts_with('%')) name.remove_prefix(1);
    for (int i = 0; i < facts.size(); ++i)
        if (facts.node(i)->name() == name) return i;
    for (int i = 0; i < facts.size(); ++i)
        if (facts.node(i)->kind() == NodeKind::placeholder && facts.node(i)->label == name) return i;
    std::vector<std::string> names;
    for (int i = 0; i < facts.size(); ++i)
        if (facts.node(i)->kind() != NodeKind::output) names.push_back(facts.node(i)->name());
    const auto similar = similarNames(name, names);
    throw Error("the joint graph has no node " + inQuotes(name) +
                (similar.empty() ? "; export it (aotscope export MODEL --graph joint) to see the names"
                                 : "; did you mean " + quotedNames(similar) + "?"));
}

}  // namespace aotscope
