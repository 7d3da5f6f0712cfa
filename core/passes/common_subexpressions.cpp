#include "ir/printer.h"
#include "ops/classify.h"
#include "ops/op_table.h"
#include "passes/passes.h"

#include <algorithm>
#include <functional>
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

void mix(std::size_t& hash, std::size_t value) { hash = hash * 1099511628211ULL + value; }

/// Equal for arguments that are printed identically.
struct ArgumentHash {
    std::size_t operator()(const Argument& argument) const { return std::visit(*this, argument.value); }
    std::size_t operator()(Node* node) const { return std::hash<const Node*>()(node); }
    std::size_t operator()(std::int64_t number) const { return static_cast<std::size_t>(number); }
    std::size_t operator()(double number) const { return number == number ? std::hash<double>()(number) : 0; }
    std::size_t operator()(bool truth) const { return truth; }
    std::size_t operator()(const std::string& text) const { return std::hash<std::string>()(text); }
    std::size_t operator()(const Argument::List& list) const {
        std::size_t hash = list.size();
        for (const Argument& element : list) mix(hash, (*this)(element));
        return hash;
    }
    template <typename Other>
    std::size_t operator()(const Other&) const {
        return 0;
    }
};

std::size_t hashOf(const Node& call) {
    std::size_t hash = std::hash<std::string>()(call.op());
    for (const Argument& argument : call.args()) mix(hash, ArgumentHash()(argument));
    for (const auto& [key, argument] : call.kwargs()) mix(hash, ArgumentHash()(argument));
    return hash;
}

}  // namespace

bool mayHaveCommonSubexpressions(const Graph& graph) {
    std::unordered_set<std::size_t> seen;
    seen.reserve(graph.size());
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const Node& node = *graph.at(i);
        if (node.kind() == NodeKind::call && !seen.insert(hashOf(node)).second) return true;
    }
    return false;
}

bool eliminateCommonSubexpressions(Graph& graph, std::vector<std::pair<NodeId, NodeId>>& merged) {
    const auto visible = outputStorages(graph);
    std::unordered_map<std::string, Node*> known;
    std::unordered_set<const Node*> dead;
    int mutations = 0;  // operations before and after one may read different values
    for (Node* node : graph.nodes()) {
        if (node->kind() != NodeKind::call) continue;
        const bool mutates = isMutating(node->op());
        if (mutates) ++mutations;
        if (mutates || drawsRandomNumbers(*node) || hasEffect(*node) || packetOf(node->op()) == "aten.empty") continue;
        if (sharesMemoryOf(visible, node->type)) continue;
        // Arguments already refer to the kept nodes of merged ones, so equal text means equal computation.
        const auto [it, isNew] =
            known.emplace(std::to_string(mutations) + node->op() + "(" + printArguments(*node) + ")", node);
        if (isNew) continue;
        graph.replaceAllUses(node, it->second);
        merged.emplace_back(node->id(), it->second->id());
        dead.insert(node);
    }
    // What differentiated a merged operation now differentiates the kept one.
    const std::unordered_map<NodeId, NodeId> kept(merged.begin(), merged.end());
    for (Node* node : graph.nodes())
        if (const auto it = kept.find(node->autograd.forward); it != kept.end()) node->autograd.forward = it->second;
    return graph.eraseIf([&](const Node* node) { return dead.contains(node); }) > 0;
}

}  // namespace aotscope
