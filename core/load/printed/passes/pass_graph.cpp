#include "load/printed/passes/pass_graph.h"

#include "ir/output_names.h"
#include "load/printed/log/unknown_kinds.h"
#include "load/printed/printed_metadata.h"
#include "load/printed/step_graph.h"
#include "load/printed/syntax/nested_graphs.h"
#include "load/printed/syntax/roles.h"

namespace aotscope {

namespace {

GraphKind graphKindOf(PrintedKind kind) {
    switch (kind) {
        case PrintedKind::source:
        case PrintedKind::preGrad: return GraphKind::source;
        case PrintedKind::joint: return GraphKind::joint;
        case PrintedKind::forward: return GraphKind::forward;
        case PrintedKind::backward: return GraphKind::backward;
        default: return GraphKind::inference;
    }
}

bool sameSizes(const Node& a, const Node& b) {
    const TensorType *x = a.type.tensor(), *y = b.type.tensor();
    return x && y && x->sizes == y->sizes;
}

/// The inputs whose gradients or new values a step returns: as many consecutive inputs of the same sizes. Empty if they
/// are not found, or ambiguous.
std::vector<Node*> parametersOf(const PrintedModule& module, const std::vector<const Node*>& returned) {
    const auto inputs = module.graph->placeholders();
    std::vector<Node*> found;
    for (std::size_t first = 0; first + returned.size() <= inputs.size(); ++first) {
        std::size_t i = 0;
        while (i < returned.size() && sameSizes(*inputs[first + i], *returned[i])) ++i;
        if (i < returned.size()) continue;
        const auto start = inputs.begin() + static_cast<std::ptrdiff_t>(first);
        if (!found.empty()) return returned.size() > 1 ? found : std::vector<Node*>();
        found.assign(start, start + static_cast<std::ptrdiff_t>(returned.size()));
    }
    return found;
}

/// Outputs of the backward follow those of the forward, and belong to the parameters.
std::vector<OutputSlot> slotsOfStep(const PrintedModule& module) {
    auto slots = userOutputs(module.outputs.size());
    std::vector<const Node*> returned;
    for (const Argument& output : module.outputs)
        if (const Node* node = output.node(); node && node->stage == Stage::backward) returned.push_back(node);
    const auto parameters = parametersOf(module, returned);
    for (Node* parameter : parameters) parameter->role = Role::parameter;
    std::size_t next = 0;
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const Node* node = module.outputs[i].node();
        if (!node || node->stage != Stage::backward) continue;
        const Node* parameter = parameters.empty() ? nullptr : parameters[next++];
        const bool updated = node->source && node->source->module == kOptimizer;
        if (!updated) slots[i] = {Role::gradient, parameter ? parameter->name() : std::string()};
        else if (parameter) slots[i].label = "new " + parameter->name();
    }
    return slots;
}

}  // namespace

PassGraphRead finishAlone(PrintedModule& module, PrintedKind kind, const GraphRules& rules) {
    std::map<std::string, std::shared_ptr<const Graph>> nested;
    takeNested(module, nested, rules);
    if (kind == PrintedKind::unknown || kind == PrintedKind::postGrad) kind = guessKind(module);
    setPlaceholderRoles(module, kind == PrintedKind::backward);
    KnownTypes known;
    rules.deriveStrides(module, known);
    setTupleTypes(*module.graph);
    PassGraphRead result;
    result.underived = module.underived;
    result.kind = graphKindOf(kind);
    if (kind == PrintedKind::joint && !tangentsOf(*module.graph).empty()) {
        const std::size_t count = forwardOutputsOf(module);
        auto slots = userOutputs(count);
        addGradientSlots(module, slots);
        completeGraph(module, name(result.kind), std::move(slots));
        result.problems = jointProblems(*module.graph);
        setStages(*module.graph, count);
        linkBackward(*module.graph);
    } else if (kind == PrintedKind::backward) {
        for (Node* node : module.graph->nodes())
            if (node->kind() == NodeKind::call || node->role == Role::tangent) node->stage = Stage::backward;
        completeGraph(module, name(result.kind), std::vector<OutputSlot>(module.outputs.size(), {Role::gradient, {}}));
    } else if (tellStepApart(*module.graph)) {
        result.kind = GraphKind::joint;
        completeGraph(module, name(result.kind), slotsOfStep(module));
    } else {
        completeGraph(module, name(result.kind), plainSlots(module));
    }
    result.graph = std::move(module.graph);
    return result;
}

}  // namespace aotscope
