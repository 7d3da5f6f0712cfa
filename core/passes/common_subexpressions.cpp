#include "ir/printer.h"
#include "ops/classify.h"
#include "ops/op_table.h"
#include "passes/passes.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace aotscope {

namespace {

std::unordered_set<std::int64_t> outputStorages(const Graph& graph) {
    std::unordered_set<std::int64_t> storages;
    for (const Node* node : graph.output()->inputs())
        if (const auto* tensor = node->type.tensor()) storages.insert(tensor->storage);
    return storages;
}

bool sharesMemoryOf(const std::unordered_set<std::int64_t>& visible, const ValueType& type) {
    if (const auto* tensor = type.tensor()) return visible.contains(tensor->storage);
    const auto* results = type.tuple();
    return results && std::any_of(results->begin(), results->end(),
                                  [&](const ValueType& result) { return sharesMemoryOf(visible, result); });
}

}  // namespace

bool eliminateCommonSubexpressions(Graph& graph, std::vector<std::pair<NodeId, NodeId>>& merged) {
    const auto visible = outputStorages(graph);
    std::unordered_map<std::string, Node*> known;
    std::unordered_set<const Node*> dead;
    int mutations = 0;  // what comes after one may read other values than what came before
    for (Node* node : graph.nodes()) {
        if (node->kind() != NodeKind::call) continue;
        const bool mutates = isMutating(node->op());
        if (mutates) ++mutations;
        if (mutates || drawsRandomNumbers(*node) || packetOf(node->op()) == "aten.empty") continue;
        if (sharesMemoryOf(visible, node->type)) continue;
        // Arguments already name the kept node of every merged one, so equal text is equal computation.
        const auto [it, isNew] =
            known.emplace(std::to_string(mutations) + node->op() + "(" + printArguments(*node) + ")", node);
        if (isNew) continue;
        graph.replaceAllUses(node, it->second);
        merged.emplace_back(node->id(), it->second->id());
        dead.insert(node);
    }
    // Who differentiates a merged operation now differentiates the kept one.
    const std::unordered_map<NodeId, NodeId> kept(merged.begin(), merged.end());
    for (Node* node : graph.nodes())
        if (const auto it = kept.find(node->autograd.forward); it != kept.end()) node->autograd.forward = it->second;
    return graph.eraseIf([&](const Node* node) { return dead.contains(node); }) > 0;
}

}  // namespace aotscope
