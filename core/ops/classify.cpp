#include "ops/classify.h"

#include "ops/op_table.h"

#include <algorithm>

namespace aotscope {

namespace {

/// Whether `holds` is true of a node of a subgraph that `node` runs, or of one within these.
bool anyWithin(const Node& node, bool (*holds)(const Node&)) {
    for (const auto& subgraph : subgraphsOf(node))
        for (std::size_t i = 0; i < subgraph->size(); ++i)
            if (holds(*subgraph->at(i))) return true;
    return false;
}

}  // namespace

bool drawsRandomNumbers(const Node& node) {
    if (node.kind() != NodeKind::call) return false;
    if (isHigherOrder(node)) return anyWithin(node, drawsRandomNumbers);
    if (hasTag(node, kRandom)) return true;
    // Attention draws numbers only with dropout: its first positive float argument.
    if (opFamily(node.op()) != OpFamily::attention || node.op().find("backward") != std::string::npos) return false;
    return std::any_of(node.args().begin(), node.args().end(), [](const Argument& a) {
        const auto* p = std::get_if<double>(&a.value);
        return p && *p > 0;
    });
}

bool isCollective(const Node& node) {
    return node.kind() == NodeKind::call && node.op().starts_with("_c10d_functional.");
}

bool isEffectful(const Node& node) { return node.isCall("higher_order.with_effects"); }

bool hasEffect(const Node& node) {
    if (node.kind() != NodeKind::call) return false;
    return isMutating(node.op()) || shortOpName(node.op()).starts_with("_assert") || isEffectful(node) ||
           packetOf(node.op()) == "_c10d_functional.wait_tensor" || (isHigherOrder(node) && anyWithin(node, hasEffect));
}

}  // namespace aotscope
