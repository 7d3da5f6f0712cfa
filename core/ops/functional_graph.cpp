#include "ops/functional_graph.h"

#include "ops/op_table.h"
#include "ops/operator_facts.h"

#include <algorithm>
#include <unordered_map>

namespace aotscope {

namespace {

/// The input that the epilogue's copy_ or set_ writes to; null for any other operation.
const TensorType* writtenInput(const Node& node) {
    const auto packet = packetOf(node.op());
    const bool copies = packet == "aten.copy_" || packet == "aten.set_";
    const Node* target = copies && !node.args().empty() ? node.args().front().node() : nullptr;
    return target && target->kind() == NodeKind::placeholder ? target->type.tensor() : nullptr;
}

}  // namespace

std::vector<const Node*> writtenValues(const Node& node) {
    std::vector<const Node*> values;
    if (node.kind() != NodeKind::call || !isMutating(node.op())) return values;
    const auto take = [&](std::size_t position, std::string_view name) {
        if (const Argument* given = node.argument(position, name))
            forEachNode(*given, [&](const Node* n) { values.push_back(n); });
    };
    const OperatorFacts* facts = operatorFacts(node.op());
    if (!facts) take(0, "out");
    for (std::size_t i = 0; facts && i < facts->parameters.size(); ++i)
        if (facts->parameters[i].written) take(i, facts->parameters[i].name);
    return values;
}

bool writesInto(const Node& node, const Node& value) {
    const auto written = writtenValues(node);
    return std::ranges::find(written, &value) != written.end();
}

std::vector<std::string> mutationsBesideEpilogue(const Graph& graph) {
    std::vector<std::string> findings;
    std::unordered_map<std::int64_t, const Node*> writers;  // by storage
    for (const Node* node : graph.nodes()) {
        if (node->kind() != NodeKind::call) continue;
        const bool mutates = isMutating(node->op());
        for (const Node* input : node->inputs()) {
            const TensorType* type = input->type.tensor();
            const auto writer = type && !mutates ? writers.find(type->storage) : writers.end();
            if (writer != writers.end())
                findings.push_back("%" + node->name() + " reads %" + input->name() + " after %" +
                                   writer->second->name() + " has overwritten it");
        }
        if (!mutates) continue;
        if (const TensorType* input = writtenInput(*node)) writers.emplace(input->storage, node);
        else findings.push_back("%" + node->name() + " (" + node->op() + ") mutates, but copies into no input");
    }
    return findings;
}

}  // namespace aotscope
