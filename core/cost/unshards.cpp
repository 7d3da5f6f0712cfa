#include "cost/unshards.h"

#include "ops/classify.h"
#include "ops/collectives.h"
#include "ops/op_table.h"
#include "support/enumerators.h"
#include "support/error.h"
#include "support/names.h"
#include "support/quoted.h"

#include <algorithm>
#include <array>
#include <set>

namespace aotscope {

namespace {

/// Views, casts and copies of one tensor: they do not change its value.
bool convertsOnly(const Node& node) {
    constexpr std::array<std::string_view, 6> casts = {
        "aten._to_copy", "prims.convert_element_type", "aten.clone", "aten.to", "aten.contiguous", "aten.detach"};
    if (node.kind() != NodeKind::call) return false;
    return hasTag(node, kView) || opFamily(node.op()) == OpFamily::view || isGetitem(node) ||
           std::ranges::find(casts, packetOf(node.op())) != casts.end();
}

/// The parameters of a graph; in printed graphs, whose inputs have no such role, any input.
class Shards {
public:
    explicit Shards(const Graph& graph)
        : named_(std::ranges::any_of(graph.placeholders(), [](Node* n) { return n->role == Role::parameter; })) {}

    bool has(const Node& node) const {
        return isPrimal(node) && (node.role == Role::parameter || (!named_ && node.role != Role::saved));
    }

private:
    bool named_;
};

class ChainFinder {
public:
    explicit ChainFinder(const Graph& graph) : shards_(graph) {
        for (const Node* node : graph.nodes()) {
            const auto call = collectiveOf(*node);
            if (!call || call->kind != CollectiveKind::allGather || node->args().empty()) continue;
            const Argument& operand = node->args()[0];
            if (const Node* tensor = operand.node()) add(*node, *node, tensor);
            for (const Node* element : node->users())
                if (operand.list() && isGetitem(*element) && element->args().size() > 1) addElement(*node, *element);
        }
    }

    std::vector<Unshard> take() { return std::move(found_); }

private:
    void addElement(const Node& gather, const Node& element) {
        const auto& operands = *gather.args()[0].list();
        const std::int64_t* index = element.args()[1].integer();
        if (index && *index >= 0 && static_cast<std::size_t>(*index) < operands.size())
            add(gather, element, operands[static_cast<std::size_t>(*index)].node());
    }

    void add(const Node& gather, const Node& result, const Node* operand) {
        Unshard unshard;
        while (operand && convertsOnly(*operand) && !operand->args().empty()) {
            unshard.before.insert(unshard.before.begin(), operand->id());
            operand = operand->args()[0].node();
        }
        if (!operand || !shards_.has(*operand)) return;
        unshard.parameter = operand->label.empty() ? operand->name() : operand->label;
        unshard.shard = operand->id();
        unshard.shardBytes = operand->type.tensorBytes();
        unshard.gather = gather.id();
        unshard.gatheredBytes = result.type.tensorBytes();
        unshard.after.push_back(gather.id());
        std::set<const Node*> seen;
        follow(result, unshard, seen);
        found_.push_back(std::move(unshard));
    }

    void follow(const Node& value, Unshard& unshard, std::set<const Node*>& seen) {
        if (!seen.insert(&value).second) return;
        if (value.id() != unshard.gather) unshard.after.push_back(value.id());
        if (isWait(value) && unshard.wait == kNoNode) unshard.wait = value.id();
        for (const Node* user : value.users())
            if (isWait(*user) || (convertsOnly(*user) && user->inputs().size() == 1)) follow(*user, unshard, seen);
    }

    Shards shards_;
    std::vector<Unshard> found_;
};

bool isNamed(const Unshard& unshard, const Graph& joint, const std::string& name) {
    const Node* shard = joint.findById(unshard.shard);
    return name == "all" || name == unshard.parameter ||
           (shard && (name == shard->name() || name == "%" + shard->name()));
}

}  // namespace

bool Unshard::has(NodeId node) const {
    return std::ranges::find(before, node) != before.end() || std::ranges::find(after, node) != after.end();
}

std::vector<NodeId> Unshard::chain() const {
    std::vector<NodeId> all = before;
    all.insert(all.end(), after.begin(), after.end());
    return all;
}

std::vector<Unshard> unshardsOf(const Graph& graph) { return ChainFinder(graph).take(); }

std::string_view describe(UnshardFate fate) {
    using enum UnshardFate;
    return textFor(fate, {{unused, "gathered in the forward only"},
                          {saved, "saved for the backward"},
                          {repeated, "gathered again in the backward"}});
}

UnshardFate fateOf(const Unshard& unshard, const Partition& partition) {
    const auto isGather = [&](const RecomputedValue& value) { return value.node == unshard.gather; };
    if (std::ranges::any_of(partition.recomputed, isGather)) return UnshardFate::repeated;
    return savedBytesOf(unshard, partition) > 0 ? UnshardFate::saved : UnshardFate::unused;
}

std::int64_t savedBytesOf(const Unshard& unshard, const Partition& partition) {
    std::int64_t bytes = 0;
    for (const SavedValue& value : partition.saved)
        if (std::ranges::find(unshard.after, value.node) != unshard.after.end()) bytes += value.type.bytes();
    return bytes;
}

std::vector<NodeId> operationsToRepeat(const Graph& joint, const std::vector<std::string>& parameters) {
    std::vector<NodeId> all;
    if (parameters.empty()) return all;
    const std::vector<Unshard> unshards = unshardsOf(joint);
    for (const std::string& name : parameters) {
        const std::size_t before = all.size();
        for (const Unshard& unshard : unshards)
            if (isNamed(unshard, joint, name)) {
                const std::vector<NodeId> chain = unshard.chain();
                all.insert(all.end(), chain.begin(), chain.end());
            }
        if (all.size() > before) continue;
        std::vector<std::string> names;
        for (const Unshard& unshard : unshards) names.push_back(unshard.parameter);
        if (names.empty())
            throw Error("--reshard-after-forward " + name + ": no all-gather of the graph gathers a parameter");
        const auto similar = similarNames(name, names);
        throw Error("--reshard-after-forward " + name + ": no all-gather gathers a parameter of that name; " +
                    (similar.empty() ? "the first that is gathered is " + inQuotes(names.front())
                                     : "did you mean " + quotedNames(similar) + "?"));
    }
    return all;
}

}  // namespace aotscope
