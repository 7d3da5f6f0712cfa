#include "ops/classify.h"

#include "ir/subgraphs.h"
#include "ops/collectives.h"
#include "ops/op_table.h"

#include <algorithm>

namespace aotscope {

namespace {

/// Whether `holds` is true for any node in the subgraphs of `node`, at any depth.
bool anyWithin(const Node& node, bool (*holds)(const Node&)) {
    const auto graphs = subgraphsWithin(node);
    return std::any_of(graphs.begin(), graphs.end(), [&](const auto& graph) {
        const auto nodes = graph->nodes();
        return std::any_of(nodes.begin(), nodes.end(), [&](const Node* inner) { return holds(*inner); });
    });
}

/// Without its subgraphs.
bool drawsItself(const Node& node) {
    if (node.kind() != NodeKind::call) return false;
    if (hasTag(node, kRandom)) return true;
    // Attention draws random numbers only with dropout: its first positive float argument.
    if (opFamily(node.op()) != OpFamily::attention || node.op().find("backward") != std::string::npos) return false;
    return std::any_of(node.args().begin(), node.args().end(), [](const Argument& a) {
        const auto* p = std::get_if<double>(&a.value);
        return p && *p > 0;
    });
}

/// Messages between two ranks: the receiver waits for them.
bool meetsPeers(const Node& node) {
    const auto collective = collectiveOf(node);
    return collective && (collective->kind == CollectiveKind::send || collective->kind == CollectiveKind::receive ||
                          collective->kind == CollectiveKind::batch);
}

/// Whether the operation is known to return nothing; otherwise the call would have no effect.
bool returnsNothing(const Node& node) { return node.type.tuple() && node.type.tuple()->empty(); }

/// Without its subgraphs.
bool affectsItself(const Node& node) {
    return node.kind() == NodeKind::call && (isMutating(node.op()) || hasTag(node, kEffect) || returnsNothing(node) ||
                                             isEffectful(node) || isWait(node) || meetsPeers(node));
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
