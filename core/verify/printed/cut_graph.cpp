#include "verify/printed/cut_graph.h"

#include "ops/op_table.h"

#include <algorithm>
#include <unordered_map>

namespace aotscope {

namespace {

/// Nodes that `outputs` need, including those in `given`, but not what these need.
NodeIds neededFor(const std::vector<const Node*>& outputs, const NodeIds& given) {
    NodeIds needed;
    std::vector<const Node*> open(outputs.begin(), outputs.end());
    while (!open.empty()) {
        const Node* node = open.back();
        open.pop_back();
        if (!needed.insert(node->id()).second || given.contains(node->id())) continue;
        open.insert(open.end(), node->inputs().begin(), node->inputs().end());
    }
    return needed;
}

}  // namespace

bool isOneValue(const Node& node) {
    return node.kind() != NodeKind::output && (node.type.tensor() || node.type.scalar());
}

std::unique_ptr<Graph> cutGraph(const Graph& graph, const NodeIds& given, const std::vector<const Node*>& outputs) {
    const NodeIds needed = neededFor(outputs, given);
    auto cut = std::make_unique<Graph>(graph.name());
    cut->setSymbols(graph.symbols());
    std::unordered_map<const Node*, Node*> copies;
    const auto addInput = [&](const Node* node) {
        Node* input = cut->addPlaceholder(node->name(), node->type, node->role, node->label);
        cut->setIdentity(input, node->id());
        input->source = node->source;
        input->stage = node->stage;
        copies[node] = input;
    };
    const auto isInput = [&](const Node* node) {
        return needed.contains(node->id()) && (node->kind() == NodeKind::placeholder || given.contains(node->id()));
    };
    const std::vector<Node*> nodes = graph.nodes();
    for (const Node* node : nodes)
        if (isInput(node)) addInput(node);
    for (const Node* node : nodes)
        if (needed.contains(node->id()) && !isInput(node))
            copies[node] = cut->copyNode(node, [&](const Node* input) { return Argument(copies.at(input)); });
    std::vector<Argument> values;
    std::vector<OutputSlot> slots;
    for (const Node* output : outputs) {
        values.emplace_back(copies.at(output));
        slots.push_back({Role::userOutput, output->name()});
    }
    cut->setOutput(std::move(values), std::move(slots));
    return cut;
}

std::vector<const Node*> returnedNodes(const Graph& graph) {
    std::vector<const Node*> nodes;
    for (const Argument& output : graph.outputs())
        if (const Node* node = output.node(); node && std::ranges::find(nodes, node) == nodes.end())
            nodes.push_back(node);
    return nodes;
}

std::vector<const Node*> callsOf(const Graph& graph) {
    std::vector<const Node*> calls;
    for (const Node* node : graph.nodes())
        if (node->kind() == NodeKind::call) calls.push_back(node);
    return calls;
}

std::vector<const Node*> frontierOf(const Graph& graph, std::size_t count) {
    const std::vector<const Node*> calls = callsOf(graph);
    NodeIds first;
    for (std::size_t i = 0; i < std::min(count, calls.size()); ++i) first.insert(calls[i]->id());
    std::vector<const Node*> frontier;
    for (const Node* node : calls) {
        // A tuple is represented by its elements.
        const bool element = isGetitem(*node) && first.contains(node->args()[0].node()->id());
        if (!isOneValue(*node) || !(first.contains(node->id()) || element)) continue;
        const bool used = element || std::ranges::any_of(node->users(),
                                                         [&](const Node* user) { return !first.contains(user->id()); });
        if (used) frontier.push_back(node);
    }
    return frontier;
}

}  // namespace aotscope
