#include "load/exported/mutations.h"

#include "load/exported/uses.h"

namespace aotscope::exported {

namespace {

/// The inputs with the running statistics of a batch norm, if it can update them in place; otherwise nothing.
std::vector<std::string> updatedStatistics(const Node& node, const Uses& uses, const Mutations& mutations) {
    if (node.target != "torch.ops.aten._native_batch_norm_legit_functional.default" || node.outputs.size() != 5)
        return {};
    std::vector<std::string> statistics;
    for (const auto& input : node.inputs) {
        if (input.name != "running_mean" && input.name != "running_var") continue;
        const auto* old = input.value.reference();
        const auto* updated = node.outputs[3 + statistics.size()].reference();
        if (!old || !updated || statistics.size() == 2) return {};
        const auto mutation = mutations.newValues.find(old->name);
        if (mutation == mutations.newValues.end() || mutation->second != updated->name) return {};
        if (uses.at(old->name).size() != 1 || uses.at(updated->name).size() != 1) return {};
        statistics.push_back(old->name);
    }
    return statistics.size() == 2 ? statistics : std::vector<std::string>();
}

bool isDifferentiable(const std::string& name, const Graph& graph) {
    const auto meta = graph.tensors.find(name);
    return meta != graph.tensors.end() && takesGradients(meta->second.dtype);
}

}  // namespace

std::string mutatedInput(const OutputSpec& output, const Document& document) {
    if (output.kind == OutputSpec::Kind::userInputMutation) return output.target;
    for (const auto& input : document.inputs)
        if (input.target == output.target && input.value.reference()) return input.value.reference()->name;
    return {};
}

Mutations mutationsOf(const Document& document) {
    Mutations mutations;
    for (const auto& output : document.outputs) {
        const auto* value = output.value.reference();
        if (output.kind == OutputSpec::Kind::user || !value) continue;
        if (const std::string name = mutatedInput(output, document); !name.empty())
            mutations.newValues.emplace(name, value->name);
    }
    if (mutations.newValues.empty()) return mutations;
    const Uses uses = usesIn(document.graph);
    for (const auto& node : document.graph.nodes) {
        const auto statistics = updatedStatistics(node, uses, mutations);
        if (statistics.empty()) continue;
        mutations.batchNorms.insert(&node);
        mutations.updatedInPlace.insert(statistics.begin(), statistics.end());
    }
    for (const auto& [name, value] : mutations.newValues)
        if (!mutations.updatedInPlace.contains(name) && uses.contains(name) && isDifferentiable(name, document.graph))
            mutations.keepsOldValue.insert(name);
    return mutations;
}

}  // namespace aotscope::exported
