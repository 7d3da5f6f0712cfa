#include "partition/difference.h"

#include "ir/id_table.h"
#include "ops/collectives.h"
#include "record/partition_figures.h"

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

/// Counts what one `side` of the difference covers in `partition`.
void countOps(PartitionDifference& difference, const Partition& partition, int CountChange::*side) {
    for (const Node* node : partition.forward->nodes())
        if (node->kind() == NodeKind::call) count(difference.forwardOps, node->op(), side);
    for (const Node* node : partition.backward->nodes())
        if (node->kind() == NodeKind::call) count(difference.backwardOps, node->op(), side);
    const PartitionFigures figures = figuresOf(partition);
    for (std::size_t i = 0; i < partition.saved.size(); ++i)
        if (figures.saved[i].share == SavedShare::own) count(difference.savedOps, partition.saved[i].op, side);
    for (std::size_t i = 0; i < partition.recomputed.size(); ++i)
        if (figures.recomputed[i]) count(difference.recomputedOps, partition.recomputed[i].op, side);
}

/// Those of the forward, where both have them.
NodesById nodesOf(const Partition& partition) {
    NodesById nodes(nullptr);
    for (const auto* half : {partition.backward.get(), partition.forward.get()})
        for (const Node* node : half->nodes()) nodes.set(node->id(), node);
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
    const PartitionFigures then = figuresOf(before), now = figuresOf(after);
    difference.savedBytesBefore = then.savedBytes;
    difference.savedBytesAfter = now.savedBytes;
    difference.recomputedBytesBefore = then.recomputedBytes;
    difference.recomputedBytesAfter = now.recomputedBytes;

    const NodesById left = nodesOf(before), right = nodesOf(after);
    std::unordered_map<NodeId, const ValueDecision*> earlier;
    for (const ValueDecision& decision : before.decisions) earlier.emplace(decision.node, &decision);
    for (const ValueDecision& decision : after.decisions) {
        const auto it = earlier.find(decision.node);
        if (it == earlier.end() || it->second->placement == decision.placement) continue;
        const Node* node = left.contains(decision.node) ? left.at(decision.node) : right.at(decision.node);
        if (!node) continue;  // in neither graph
        difference.values.push_back({decision.node, node->name(), node->op(), node->label, it->second->placement,
                                     decision.placement, decision.bytes, reasonOf(decision)});
    }
    return difference;
}

}  // namespace aotscope
