#include "partition/extract.h"

#include "ops/op_table.h"
#include "partition/classify.h"
#include "support/error.h"

#include <algorithm>
#include <functional>
#include <set>
#include <unordered_map>

namespace aotscope {

namespace {

struct Value {
    Node* node;
    Role role;
};

/// The part of `joint` that computes `outputs` from `inputs`. Random operations of the forward stay in the
/// forward even when unused, so that both draw the same numbers as the program; a backward repeats none.
std::unique_ptr<Graph> extract(const Graph& joint, const std::string& name, const std::vector<Value>& inputs,
                               const std::vector<Argument>& outputs, const std::vector<OutputSlot>& slots,
                               bool keepEffects) {
    std::unordered_map<const Node*, Node*> copies;
    NodeSet available, needed;
    for (const auto& input : inputs) available.insert(input.node);
    const NodeSet given = available;
    const auto nodes = joint.nodes();
    for (const Node* node : nodes) {
        if (node->kind() != NodeKind::call && node->kind() != NodeKind::constant) continue;
        if (std::all_of(node->inputs().begin(), node->inputs().end(),
                        [&](const Node* n) { return available.contains(n); }))
            available.insert(node);
    }
    for (const auto& output : outputs)
        forEachNode(output, [&](const Node* node) {
            check(available.contains(node), "%" + node->name() + " cannot be computed in the " + name + " graph");
            needed.insert(node);
        });
    for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
        const Node* node = *it;
        if (keepEffects && available.contains(node) && node->stage == Stage::forward &&
            (drawsRandomNumbers(*node) || hasEffect(*node)))
            needed.insert(node);
        if (needed.contains(node) && !given.contains(node)) needed.insert(node->inputs().begin(), node->inputs().end());
    }

    auto graph = std::make_unique<Graph>(name);
    graph->setSymbols(joint.symbols());
    for (const auto& [node, role] : inputs) {
        Node* copy =
            graph->addPlaceholder(node->name(), node->type, role, node->label.empty() ? node->name() : node->label);
        graph->setIdentity(copy, node->id());
        copy->stage = node->stage;
        copy->source = node->source;
        copy->autograd = node->autograd;
        copies[node] = copy;
    }
    const auto map = [&](Node* n) { return Argument(copies.at(n)); };
    for (Node* node : nodes)
        if (needed.contains(node) && !given.contains(node)) copies[node] = graph->copyNode(node, map);
    std::vector<Argument> mapped;
    for (const auto& output : outputs) mapped.push_back(mapNodes(output, map));
    graph->setIdentity(graph->setOutput(std::move(mapped), slots), joint.output()->id());
    return graph;
}

/// Puts every getitem directly behind the node whose element it is, so that the rest of a tuple dies early.
void raiseGetitems(Graph& graph) {
    std::unordered_map<const Node*, std::vector<Node*>> items;
    for (Node* node : graph.nodes())
        if (isGetitem(*node)) items[node->args()[0].node()].push_back(node);
    std::vector<Node*> order;
    const std::function<void(Node*)> place = [&](Node* node) {
        order.push_back(node);
        if (auto it = items.find(node); it != items.end())
            for (Node* item : it->second) place(item);
    };
    for (Node* node : graph.nodes())
        if (!isGetitem(*node)) place(node);
    graph.reorder(order);
}

/// Puts recomputation as late as possible: from the first use of a tangent on, each node is preceded only by
/// the ancestors that it still lacks, as the autograd engine would run them.
void reorderLikeAutograd(Graph& backward) {
    const auto nodes = backward.nodes();
    std::unordered_map<const Node*, std::size_t> position;
    for (std::size_t i = 0; i < nodes.size(); ++i) position[nodes[i]] = i;

    std::size_t first = nodes.size();
    for (const Node* node : nodes)
        if (node->role == Role::tangent)
            for (const Node* user : node->users()) first = std::min(first, position.at(user));
    if (first == nodes.size() || nodes[first]->kind() == NodeKind::output) return;

    std::vector<Node*> order;
    NodeSet placed;
    const auto place = [&](Node* node) {
        if (placed.insert(node).second) order.push_back(node);
    };
    for (Node* node : nodes)
        if (node->kind() == NodeKind::placeholder) place(node);
    for (std::size_t i = first; i < nodes.size(); ++i) {
        std::set<std::size_t> missing;  // ancestors in original order
        std::vector<Node*> pending{nodes[i]};
        while (!pending.empty()) {
            Node* node = pending.back();
            pending.pop_back();
            if (placed.contains(node) || !missing.insert(position.at(node)).second) continue;
            pending.insert(pending.end(), node->inputs().begin(), node->inputs().end());
        }
        for (auto p : missing) place(nodes[p]);
    }
    // What nothing after the first tangent needs (a gradient that depends on no tangent) keeps its place at the end.
    std::erase_if(order, [](const Node* n) { return n->kind() == NodeKind::output; });
    placed.erase(nodes.back());
    for (Node* node : nodes) place(node);
    backward.reorder(order);
}

/// Saved values that the backward uses, in graph order.
std::vector<Node*> usedByBackward(const Graph& joint, const std::vector<Node*>& saved,
                                  const std::vector<Value>& tangents, const std::vector<Argument>& gradients) {
    std::vector<Value> inputs;
    for (Node* node : saved) inputs.push_back({node, Role::saved});
    inputs.insert(inputs.end(), tangents.begin(), tangents.end());
    const auto trial = extract(joint, "backward", inputs, gradients,
                               std::vector<OutputSlot>(gradients.size(), {Role::gradient, {}}), false);
    std::vector<Node*> used;
    const auto placeholders = trial->placeholders();
    for (std::size_t i = 0; i < saved.size(); ++i)
        if (!placeholders[i]->users().empty()) used.push_back(saved[i]);
    return used;
}

bool overwrites(const Node& node) { return node.kind() == NodeKind::call && isMutating(node.op()); }

NodeId unusedId(const Graph& graph) {
    NodeId last = kNoNode;
    for (const Node* node : graph.nodes()) last = std::max(last, node->id());
    return last + 1;
}

/// Values of `forward` from `firstSaved` on that look into an input which the graph itself overwrites are copied
/// before. All writes come last: what reads those inputs means them as they were.
void copyBeforeOverwriting(Graph& forward, std::size_t firstSaved, NodeId firstId) {
    std::vector<Node*> order, writes;
    std::set<std::int64_t> overwritten;
    for (Node* node : forward.nodes()) {
        if (node->kind() == NodeKind::output) continue;
        (overwrites(*node) ? writes : order).push_back(node);
        if (!overwrites(*node)) continue;
        if (const TensorType* target = node->args()[0].node()->type.tensor()) overwritten.insert(target->storage);
    }
    if (writes.empty()) return;
    Node* output = forward.output();
    std::vector<Argument> outputs = forward.outputs();
    for (std::size_t i = firstSaved; i < outputs.size(); ++i) {
        Node* value = outputs[i].node();
        const TensorType* type = value ? value->type.tensor() : nullptr;
        if (!type || !overwritten.contains(type->storage)) continue;
        Node* copy = forward.addCall("aten.clone.default", {value}, {}, value->type);
        forward.setIdentity(copy, firstId++);
        copy->type.tensor()->storage = -1;
        copy->source = value->source;
        order.push_back(copy);
        outputs[i] = copy;
    }
    forward.setArguments(output, std::move(outputs));
    order.insert(order.end(), writes.begin(), writes.end());
    order.push_back(output);
    forward.reorder(order);
}

/// Storages of the inputs of `forward` and of what it returns to the caller.
std::set<std::int64_t> visibleStorages(const Graph& forward, std::size_t returned) {
    std::set<std::int64_t> storages;
    const auto note = [&](const Node* node) {
        if (const TensorType* type = node ? node->type.tensor() : nullptr) storages.insert(type->storage);
    };
    for (const Node* node : forward.placeholders()) note(node);
    for (std::size_t i = 0; i < returned; ++i) note(forward.outputs()[i].node());
    return storages;
}

SavedValue describeSaved(const Node* node, const std::function<std::string(const Node*)>& reason) {
    SavedValue value;
    value.node = node->id();
    value.name = node->name();
    value.op = node->kind() == NodeKind::call          ? node->op()
               : node->kind() == NodeKind::placeholder ? "placeholder"
                                                       : "constant";
    value.label = node->label;
    if (const auto* tensor = node->type.tensor()) value.type = *tensor;
    else value.type.dtype = DType::i64;  // a size
    value.kind = node->type.scalar() ? SavedValue::Kind::symint
                 : isPrimal(*node)   ? SavedValue::Kind::input
                                     : SavedValue::Kind::activation;
    value.reason = reason(node);
    return value;
}

}  // namespace

Partition buildPartition(const Graph& joint, const std::vector<Node*>& saved, PartitionAlgorithm algorithm,
                         const std::function<std::string(const Node*)>& reason) {
    std::vector<Value> primals, tangents;
    for (Node* node : joint.placeholders())
        (node->role == Role::tangent ? tangents : primals).push_back({node, node->role});
    const auto split = static_cast<std::ptrdiff_t>(joint.forwardOutputCount());
    const auto& all = joint.outputs();
    const auto& slots = joint.outputSlots();
    std::vector<Argument> forwardOutputs(all.begin(), all.begin() + split);
    const std::vector<Argument> gradients(all.begin() + split, all.end());
    std::vector<OutputSlot> forwardSlots(slots.begin(), slots.begin() + split);
    const std::vector<OutputSlot> gradientSlots(slots.begin() + split, slots.end());

    std::vector<Node*> tensors, symints;
    for (Node* node : usedByBackward(joint, saved, tangents, gradients))
        (node->type.scalar() ? symints : tensors).push_back(node);
    std::vector<Value> backwardInputs;
    for (Node* node : symints) backwardInputs.push_back({node, Role::savedSymint});
    for (Node* node : tensors) {
        backwardInputs.push_back({node, Role::saved});
        forwardOutputs.emplace_back(node);
        forwardSlots.push_back({Role::saved, node->name()});
    }
    for (Node* node : symints) {
        forwardOutputs.emplace_back(node);
        forwardSlots.push_back({Role::savedSymint, node->name()});
    }
    backwardInputs.insert(backwardInputs.end(), tangents.begin(), tangents.end());

    auto forward = extract(joint, "forward", primals, forwardOutputs, forwardSlots, true);
    auto backward = extract(joint, "backward", backwardInputs, gradients, gradientSlots, false);
    if (algorithm == PartitionAlgorithm::minCut) reorderLikeAutograd(*backward);
    raiseGetitems(*forward);
    raiseGetitems(*backward);
    copyBeforeOverwriting(*forward, joint.forwardOutputCount(), unusedId(joint));

    Partition partition;
    partition.algorithm = algorithm;
    const std::set<std::int64_t> visible = visibleStorages(*forward, joint.forwardOutputCount());
    for (const Node* node : tensors) partition.saved.push_back(describeSaved(node, reason));
    for (const Node* node : symints) partition.saved.push_back(describeSaved(node, reason));
    for (SavedValue& value : partition.saved)
        value.donated = value.kind == SavedValue::Kind::activation && !visible.contains(value.type.storage);
    std::set<NodeId> inForward;
    for (const Node* node : forward->nodes())
        if (node->kind() == NodeKind::call) inForward.insert(node->id());
    for (const Node* node : backward->nodes())
        if (node->kind() == NodeKind::call && inForward.contains(node->id()))
            partition.recomputed.push_back(
                {node->id(), node->name(), node->op(), node->type.tensor() ? node->type.tensor()->bytes() : 0});
    partition.forward = std::move(forward);
    partition.backward = std::move(backward);
    return partition;
}

}  // namespace aotscope
