#include "ops/classify.h"

#include "ops/op_table.h"

#include <algorithm>
#include <unordered_set>

namespace aotscope {

namespace {

/// Whether `holds` is true of a node of a subgraph that `node` runs, or of one within these. Each subgraph is looked at
/// once: where many nodes share them, there are far more ways to them.
bool anyWithin(const Node& node, bool (*holds)(const Node&)) {
    auto graphs = subgraphsOf(node);
    std::unordered_set<const Graph*> seen;
    for (std::size_t g = 0; g < graphs.size(); ++g) {
        const auto graph = graphs[g];
        if (!seen.insert(graph.get()).second) continue;
        for (std::size_t i = 0; i < graph->size(); ++i) {
            if (holds(*graph->at(i))) return true;
            if (!isHigherOrder(*graph->at(i))) continue;
            const auto inner = subgraphsOf(*graph->at(i));
            graphs.insert(graphs.end(), inner.begin(), inner.end());
        }
    }
    return false;
}

/// Without what is in subgraphs.
bool drawsItself(const Node& node) {
    if (node.kind() != NodeKind::call) return false;
    if (hasTag(node, kRandom)) return true;
    // Attention draws numbers only with dropout: its first positive float argument.
    if (opFamily(node.op()) != OpFamily::attention || node.op().find("backward") != std::string::npos) return false;
    return std::any_of(node.args().begin(), node.args().end(), [](const Argument& a) {
        const auto* p = std::get_if<double>(&a.value);
        return p && *p > 0;
    });
}

/// Without what is in subgraphs.
bool affectsItself(const Node& node) {
    return node.kind() == NodeKind::call &&
           (isMutating(node.op()) || shortOpName(node.op()).starts_with("_assert") || isEffectful(node) ||
            packetOf(node.op()) == "_c10d_functional.wait_tensor");
}

}  // namespace

bool drawsRandomNumbers(const Node& node) {
    return isHigherOrder(node) ? anyWithin(node, drawsItself) : drawsItself(node);
}

bool isCollective(const Node& node) {
    return node.kind() == NodeKind::call && node.op().starts_with("_c10d_functional.");
}

bool isEffectful(const Node& node) { return node.isCall("higher_order.with_effects"); }

bool hasEffect(const Node& node) {
    return affectsItself(node) || (isHigherOrder(node) && anyWithin(node, affectsItself));
}

}  // namespace aotscope
