#include "partition/difference.h"

#include "ops/collectives.h"

#include <algorithm>
#include <unordered_map>

namespace aotscope {

namespace {

void count(std::map<std::string, CountChange>& counts, const std::string& op, int CountChange::*side) {
    ++(counts[op].*side);
}

void dropUnchanged(std::map<std::string, CountChange>& counts) {
    std::erase_if(counts, [](const auto& entry) { return entry.second.before == entry.second.after; });
}

/// Counts everything that `side` of the difference is about in `partition`.
void countOps(PartitionDifference& difference, const Partition& partition, int CountChange::*side) {
    for (const Node* node : partition.forward->nodes())
        if (node->kind() == NodeKind::call) count(difference.forwardOps, node->op(), side);
    for (const Node* node : partition.backward->nodes())
        if (node->kind() == NodeKind::call) count(difference.backwardOps, node->op(), side);
    for (const SavedValue& value : partition.saved) count(difference.savedOps, value.op, side);
    for (const RecomputedValue& value : partition.recomputed) count(difference.recomputedOps, value.op, side);
}

std::int64_t recomputedBytes(const Partition& partition) {
    std::int64_t total = 0;
    for (const RecomputedValue& value : partition.recomputed) total += value.bytes;
    return total;
}

using NodesById = std::unordered_map<NodeId, const Node*>;

NodesById nodesOf(const Partition& partition) {
    NodesById nodes;
    for (const auto* half : {partition.forward.get(), partition.backward.get()})
        for (const Node* node : half->nodes()) nodes.emplace(node->id(), node);
    return nodes;
}

bool hasOtherOrder(const Graph& before, const Graph& after) {
    const auto isCall = [](const Node* node) { return collectiveOf(*node).has_value(); };
    return std::ranges::any_of(before.nodes(), isCall) &&
           !std::ranges::equal(before.nodes(), after.nodes(), {}, &Node::id, &Node::id);
}

}  // namespace

PartitionDifference compare(const Partition& before, const Partition& after) {
    PartitionDifference difference;
    countOps(difference, before, &CountChange::before);
    countOps(difference, after, &CountChange::after);
    for (auto* counts :
         {&difference.forwardOps, &difference.backwardOps, &difference.savedOps, &difference.recomputedOps})
        dropUnchanged(*counts);
    difference.collectivesMoved = before.forward != after.forward && (hasOtherOrder(*before.forward, *after.forward) ||
                                                                      hasOtherOrder(*before.backward, *after.backward));
    difference.savedBytesBefore = before.savedUniqueBytes();
    difference.savedBytesAfter = after.savedUniqueBytes();
    difference.recomputedBytesBefore = recomputedBytes(before);
    difference.recomputedBytesAfter = recomputedBytes(after);

    const NodesById left = nodesOf(before), right = nodesOf(after);
    std::unordered_map<NodeId, const ValueDecision*> earlier;
    for (const ValueDecision& decision : before.decisions) earlier.emplace(decision.node, &decision);
    for (const ValueDecision& decision : after.decisions) {
        const auto it = earlier.find(decision.node);
        if (it == earlier.end() || it->second->placement == decision.placement) continue;
        const auto known = left.find(decision.node), other = right.find(decision.node);
        const Node* node = known != left.end() ? known->second : other != right.end() ? other->second : nullptr;
        if (!node) continue;  // in neither half
        difference.values.push_back({decision.node, node->name(), node->op(), node->label, it->second->placement,
                                     decision.placement, decision.bytes, reasonOf(decision)});
    }
    return difference;
}

}  // namespace aotscope
