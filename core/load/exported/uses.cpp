#include "load/exported/uses.h"

namespace aotscope::exported {

namespace {

void note(const Argument& argument, const Node* node, Uses& uses) {
    if (const auto* reference = argument.reference()) uses[reference->name].push_back(node);
    if (const auto* list = argument.list())
        for (const auto& element : *list) note(element, node, uses);
}

}  // namespace

Uses usesIn(const Graph& graph) {
    Uses uses;
    for (const auto& node : graph.nodes)
        for (const auto& input : node.inputs) note(input.value, &node, uses);
    for (const auto& output : graph.outputs) note(output, nullptr, uses);
    return uses;
}

}  // namespace aotscope::exported
