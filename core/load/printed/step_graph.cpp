#include "load/printed/step_graph.h"

#include "load/printed/syntax/roles.h"
#include "ops/op_table.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace aotscope {

namespace {

using Nodes = std::vector<Node*>;

bool isBackward(const Node* node) { return node->stage == Stage::backward; }

/// The initial gradient of autograd: ones with the shape of the loss, which is a single number.
bool startsBackward(const Node& node) {
    if (!node.isCall("aten.ones_like.default") || node.inputs().size() != 1 || node.users().empty()) return false;
    const Node& loss = *node.inputs()[0];
    const TensorType* type = loss.type.tensor();
    return loss.kind() == NodeKind::call && type && type->numel() == 1;
}

/// Marks the backward of a graph without annotations: everything from the first gradient on.
void markFromTheLoss(const Nodes& nodes) {
    const auto start = std::ranges::find_if(nodes, [](const Node* node) { return startsBackward(*node); });
    for (auto it = start; it != nodes.end(); ++it)
        if ((*it)->kind() == NodeKind::call) (*it)->stage = Stage::backward;
}

/// Nodes added by passes have no annotation: users of gradients belong to the backward, and so do nodes within it that
/// only the backward uses.
void spread(const Nodes& nodes) {
    for (Node* node : nodes)
        if (node->kind() == NodeKind::call && std::ranges::any_of(node->inputs(), isBackward))
            node->stage = Stage::backward;
    const auto start = std::ranges::find_if(nodes, isBackward);
    for (auto it = nodes.end(); it != nodes.begin();) {
        Node* node = *--it;
        if (node->kind() != NodeKind::call || node->users().empty()) continue;
        if (it < start && !startsBackward(*node)) continue;
        const bool used = std::ranges::all_of(
            node->users(), [](const Node* user) { return isBackward(user) && user->kind() == NodeKind::call; });
        if (used) node->stage = Stage::backward;
    }
}

bool updatesParameters(const Node& node) {
    const bool fromOptimizer = node.source && node.source->file.find("/optim/") != std::string::npos;
    return fromOptimizer || node.op().starts_with("aten._foreach_") || node.op().starts_with("aten._fused_adam") ||
           node.op().starts_with("aten._fused_sgd");
}

/// Where the optimizer begins: at a node annotated as such, or where autograd would differentiate beyond the backward.
Nodes::const_iterator optimizerIn(const Nodes& nodes, Nodes::const_iterator backward, std::int64_t lastOfForward) {
    return std::find_if(backward, nodes.end(), [&](const Node* node) {
        return isBackward(node) &&
               (updatesParameters(*node) || (lastOfForward >= 0 && node->autograd.sequence > lastOfForward));
    });
}

/// Shows the optimizer as its own module.
void groupOptimizer(Nodes::const_iterator from, Nodes::const_iterator to) {
    std::unordered_map<const SourceInfo*, std::shared_ptr<const SourceInfo>> grouped;
    for (auto it = from; it != to; ++it) {
        Node* node = *it;
        if (!isBackward(node) || (node->source && !node->source->module.empty())) continue;
        auto& source = grouped[node->source.get()];
        if (!source) {
            SourceInfo own = node->source ? *node->source : SourceInfo{};
            own.module = kOptimizer;
            source = std::make_shared<const SourceInfo>(std::move(own));
        }
        node->source = source;
    }
}

/// Links by the sequence numbers of autograd nodes, which backward operations share with those that they differentiate.
/// False if they are useless, as in a graph traced without hooks.
bool linkByNumber(const Nodes& nodes) {
    std::unordered_map<std::int64_t, const Node*> forward;
    for (const Node* node : nodes)
        if (node->kind() == NodeKind::call && !isBackward(node) && node->autograd.sequence >= 0 && !isGetitem(*node) &&
            !node->isCall("aten.detach.default"))
            forward.try_emplace(node->autograd.sequence, node);
    std::set<const Node*> linked;
    for (const Node* node : nodes)
        if (const auto it = forward.find(node->autograd.sequence); isBackward(node) && it != forward.end())
            linked.insert(it->second);
    if (linked.size() < 2) return false;
    std::unordered_map<NodeId, NodeId> known;
    for (Node* node : nodes) {
        if (node->kind() != NodeKind::call || !isBackward(node)) continue;
        if (const auto it = forward.find(node->autograd.sequence); it != forward.end())
            node->autograd.forward = it->second->id();
        for (const Node* input : node->inputs())
            if (node->autograd.forward == kNoNode && isBackward(input))
                node->autograd.forward = input->autograd.forward;
    }
    return true;
}

/// Gives backward operations the source of the operation that they differentiate, as in AOTAutograd.
void takeSources(const Nodes& nodes, const Graph& graph) {
    for (Node* node : nodes)
        if (isBackward(node) && !node->source)
            if (const Node* forward = graph.findById(node->autograd.forward)) node->source = forward->source;
}

}  // namespace

bool tellStepApart(Graph& graph) {
    const Nodes nodes = graph.nodes();
    const bool annotated = std::ranges::any_of(nodes, isBackward);
    if (!annotated) markFromTheLoss(nodes);
    const auto backward = std::ranges::find_if(nodes, isBackward);
    if (backward == nodes.end()) return false;
    auto annotatedEnd = nodes.end();
    while (annotated && !isBackward(*(annotatedEnd - 1))) --annotatedEnd;
    std::int64_t last = -1;
    for (const Node* node : nodes)
        if (!isBackward(node)) last = std::max(last, annotated ? -1 : node->autograd.sequence);
    spread(nodes);
    const auto optimizer =
        annotated ? std::min(annotatedEnd, optimizerIn(nodes, backward, -1)) : optimizerIn(nodes, backward, last);
    if (!linkByNumber({nodes.begin(), optimizer})) linkBackward(graph);
    for (auto it = optimizer; it != nodes.end(); ++it) (*it)->autograd.forward = kNoNode;
    takeSources(nodes, graph);
    groupOptimizer(optimizer, nodes.end());
    return true;
}

}  // namespace aotscope
