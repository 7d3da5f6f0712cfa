#include "partition/classify.h"

#include "ops/op_table.h"

#include <algorithm>

namespace aotscope {

namespace {

/// Nodes that can be computed from primals alone and lead to a forward output, or must run for their effect.
NodeSet neededForForward(const Graph& joint) {
    NodeSet computable, needed;
    for (const Node* node : joint.nodes()) {
        if (node->kind() == NodeKind::output || node->role == Role::tangent) continue;
        const bool inputsComputable = std::all_of(node->inputs().begin(), node->inputs().end(),
                                                  [&](const Node* n) { return computable.contains(n); });
        if (inputsComputable) computable.insert(node);
    }
    const auto& outputs = joint.outputs();
    for (std::size_t i = 0; i < joint.forwardOutputCount(); ++i)
        if (const Node* node = outputs[i].node()) needed.insert(node);
    const auto nodes = joint.nodes();
    for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
        const Node* node = *it;
        if (!computable.contains(node)) continue;
        const bool effect = node->stage == Stage::forward && (hasEffect(*node) || drawsRandomNumbers(*node));
        if (effect || isPrimal(*node)) needed.insert(node);
        if (needed.contains(node)) needed.insert(node->inputs().begin(), node->inputs().end());
    }
    return needed;
}

}  // namespace

bool drawsRandomNumbers(const Node& node) {
    if (node.kind() != NodeKind::call) return false;
    if (hasTag(node, kRandom)) return true;
    // Attention draws numbers only with dropout: its first positive float argument.
    if (opFamily(node.op()) != OpFamily::attention || node.op().find("backward") != std::string::npos) return false;
    return std::any_of(node.args().begin(), node.args().end(), [](const Argument& a) {
        const auto* p = std::get_if<double>(&a.value);
        return p && *p > 0;
    });
}

bool hasEffect(const Node& node) {
    return node.kind() == NodeKind::call && (isMutating(node.op()) || shortOpName(node.op()).starts_with("_assert"));
}

NodeClasses classifyNodes(const Graph& joint) {
    NodeClasses classes;
    classes.requiredForward = neededForForward(joint);
    const auto nodes = joint.nodes();
    for (const Node* node : nodes) {
        if (node->kind() == NodeKind::output) continue;
        const bool uses = std::any_of(node->inputs().begin(), node->inputs().end(),
                                      [&](const Node* n) { return classes.dependsOnTangent.contains(n); });
        if (uses || node->role == Role::tangent) classes.dependsOnTangent.insert(node);
    }
    classes.requiredBackward = classes.dependsOnTangent;
    const auto& outputs = joint.outputs();
    for (std::size_t i = joint.forwardOutputCount(); i < outputs.size(); ++i)
        if (const Node* node = outputs[i].node()) classes.requiredBackward.insert(node);

    for (const Node* node : nodes) {
        if (!classes.inForward(node)) continue;
        classes.orderInForward[node] = static_cast<int>(classes.forwardOrder.size());
        classes.forwardOrder.push_back(node);
    }
    for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
        const Node* node = *it;
        std::int64_t distance = 0;
        if (node->kind() == NodeKind::output) distance = kFarFromBackward;
        else if (classes.inForward(node)) {
            distance = kFarFromBackward;
            for (const Node* user : node->users()) distance = std::min(distance, classes.distance.at(user) + 1);
        }
        classes.distance[node] = distance;
    }
    return classes;
}

}  // namespace aotscope
