#include "load/printed/printed_metadata.h"

#include "ir/output_names.h"
#include "ops/functional_graph.h"

#include <algorithm>

namespace aotscope {

namespace {

void readMutation(const Node& node, InputInfo& info) {
    info.mutatesData = std::any_of(node.users().begin(), node.users().end(),
                                   [&](const Node* user) { return writesInto(*user, node); });
    if (info.mutatesData) info.mutation = MutationType::inGraph;
}

void typeOutputs(const Graph& graph, FunctionMetadata& metadata) {
    const auto first = metadata.mutatedInputIndices().size();
    for (std::size_t i = 0; i < metadata.outputs.size() && first + i < graph.outputs().size(); ++i)
        if (const Node* node = graph.outputs()[first + i].node(); node && node->type.tensor())
            metadata.outputs[i].tensor = *node->type.tensor();
}

void describeOutputs(const Graph& graph, FunctionMetadata& metadata) {
    const auto& outputs = graph.outputs();
    const auto& slots = graph.outputSlots();
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (slots[i].role != Role::userOutput && slots[i].role != Role::intermediateBase) continue;
        OutputInfo info;
        if (slots[i].role == Role::userOutput) info.name = outputName(slots[i]);
        const Node* node = outputs[i].node();
        info.isTensor = node && !node->type.scalar();
        if (node && node->type.tensor()) info.tensor = *node->type.tensor();
        metadata.outputs.push_back(info);
    }
}

/// Inputs whose updated values the graph returns are written back after it.
void findWrittenBack(const Graph& graph, FunctionMetadata& metadata) {
    for (const OutputSlot& slot : graph.outputSlots()) {
        if (slot.role != Role::mutatedInput) continue;
        const auto input = std::ranges::find(metadata.inputs, slot.label, &InputInfo::name);
        if (input == metadata.inputs.end()) continue;
        input->mutatesData = true;
        input->mutation = MutationType::outOfGraph;
    }
}

/// Before the call and after it: nothing that is traced changes it.
void setRequiresGrad(InputInfo& input, bool requiresGrad) {
    input.requiresGrad = requiresGrad;
    if (input.tensor) input.tensor->requiresGrad = requiresGrad;
}

/// The input that a slot names, usually the next one.
InputInfo* inputOf(const OutputSlot& slot, std::size_t next, FunctionMetadata& metadata) {
    auto& inputs = metadata.inputs;
    if (next < inputs.size() && (slot.label.empty() || inputs[next].name == slot.label)) return &inputs[next];
    const auto named = std::ranges::find(inputs, slot.label, &InputInfo::name);
    return named == inputs.end() ? nullptr : &*named;
}

/// An input with a gradient requires grad.
void findGradients(const Graph& graph, const Graph* backward, FunctionMetadata& metadata) {
    for (const Graph* source : {&graph, backward}) {
        if (!source) continue;
        std::size_t input = 0;
        for (std::size_t i = 0; i < source->outputs().size(); ++i) {
            if (source->outputSlots()[i].role != Role::gradient) continue;
            if (InputInfo* of = inputOf(source->outputSlots()[i], input++, metadata))
                setRequiresGrad(*of, source->outputs()[i].node() != nullptr);
        }
        if (input > 0) return;
    }
}

}  // namespace

std::vector<Node*> tangentsOf(const Graph& graph) {
    auto nodes = graph.placeholders();
    std::erase_if(nodes, [](const Node* node) { return node->role != Role::tangent; });
    return nodes;
}

std::vector<Node*> primalsOf(const Graph& graph) {
    auto nodes = graph.placeholders();
    std::erase_if(nodes, [](const Node* node) { return node->role == Role::tangent; });
    return nodes;
}

FunctionMetadata printedMetadata(const Graph& graph, const Graph* backward, const std::optional<ViewMeta>& meta) {
    const auto primals = primalsOf(graph);
    const bool exact = meta && meta->metadata.inputs.size() == primals.size();
    FunctionMetadata metadata;
    if (exact) metadata = meta->metadata;
    else describeOutputs(graph, metadata);
    std::size_t i = 0;
    for (const Node* node : primals) {
        InputInfo info = exact ? metadata.inputs[i] : InputInfo();
        info.name = nameInProgram(*node);
        info.role = node->role;
        if (node->type.tensor()) info.tensor = *node->type.tensor();
        setRequiresGrad(info, info.requiresGrad);
        if (!exact) readMutation(*node, info);
        if (exact) metadata.inputs[i++] = std::move(info);
        else metadata.inputs.push_back(std::move(info));
    }
    if (exact) {
        typeOutputs(graph, metadata);
    } else {
        findGradients(graph, backward, metadata);
        findWrittenBack(graph, metadata);
    }
    return metadata;
}

}  // namespace aotscope
