#include "passes/sizes/generalize.h"

#include "ir/output_names.h"
#include "ir/printer.h"
#include "support/names.h"

#include <unordered_map>

namespace aotscope {

namespace {

using NodePositions = std::unordered_map<const Node*, std::size_t>;

NodePositions positionsOf(const std::vector<Node*>& nodes) {
    NodePositions positions;
    for (std::size_t i = 0; i < nodes.size(); ++i) positions[nodes[i]] = i;
    return positions;
}

/// Whether two arguments are equal except for numbers that may depend on sizes.
bool alike(const Argument& a, const Argument& b, const NodePositions& inA, const NodePositions& inB) {
    if (a.value.index() != b.value.index()) return false;
    if (a.node()) return inA.at(a.node()) == inB.at(b.node());
    if (a.integer() || std::holds_alternative<double>(a.value)) return true;
    if (a.subgraph()) return !structuralDifference(**a.subgraph(), **b.subgraph());
    if (!a.list()) return a == b;
    if (a.list()->size() != b.list()->size()) return false;
    for (std::size_t i = 0; i < a.list()->size(); ++i)
        if (!alike((*a.list())[i], (*b.list())[i], inA, inB)) return false;
    return true;
}

bool alike(const ValueType& a, const ValueType& b) {
    if (a.data.index() != b.data.index()) return false;
    if (const auto* x = a.tensor()) {
        const auto* y = b.tensor();
        return x->dtype == y->dtype && x->sizes.size() == y->sizes.size() && x->device == y->device &&
               x->storage == y->storage && x->requiresGrad == y->requiresGrad;
    }
    const auto* x = a.tuple();
    if (!x) return true;
    const auto* y = b.tuple();
    if (x->size() != y->size()) return false;
    for (std::size_t i = 0; i < x->size(); ++i)
        if (!alike((*x)[i], (*y)[i])) return false;
    return true;
}

bool alike(const Node& a, const Node& b, const NodePositions& inA, const NodePositions& inB) {
    if (a.kind() != b.kind() || a.op() != b.op() || a.args().size() != b.args().size() ||
        a.kwargs().size() != b.kwargs().size() || !alike(a.type, b.type))
        return false;
    for (std::size_t i = 0; i < a.args().size(); ++i)
        if (!alike(a.args()[i], b.args()[i], inA, inB)) return false;
    for (std::size_t i = 0; i < a.kwargs().size(); ++i)
        if (a.kwargs()[i].first != b.kwargs()[i].first || !alike(a.kwargs()[i].second, b.kwargs()[i].second, inA, inB))
            return false;
    return true;
}

}  // namespace

std::optional<std::string> structuralDifference(const Graph& a, const Graph& b) {
    const auto x = a.nodes(), y = b.nodes();
    const NodePositions inA = positionsOf(x), inB = positionsOf(y);
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i)
        if (!alike(*x[i], *y[i], inA, inB)) return "'" + printNode(*x[i]) + "' becomes '" + printNode(*y[i]) + "'";
    if (x.size() != y.size())
        return "the graph has " + counted(y.size(), "node") + " instead of " + std::to_string(x.size());
    return std::nullopt;
}

std::optional<std::string> structuralDifference(const FunctionMetadata& a, const FunctionMetadata& b) {
    if (a.outputs.size() != b.outputs.size() || a.intermediateBases != b.intermediateBases ||
        a.needsAutograd != b.needsAutograd || a.tangents.size() != b.tangents.size())
        return "the number of outputs changes";
    if (a.convention.inputs != b.convention.inputs || a.convention.duplicateOf != b.convention.duplicateOf)
        return "the inputs share memory differently";
    for (std::size_t i = 0; i < a.inputs.size(); ++i)
        if (a.inputs[i].mutation != b.inputs[i].mutation || a.inputs[i].mutatesMetadata != b.inputs[i].mutatesMetadata)
            return "the mutation of input '" + a.inputs[i].name + "' changes";
    for (std::size_t i = 0; i < a.outputs.size(); ++i)
        if (a.outputs[i].type != b.outputs[i].type || a.outputs[i].base != b.outputs[i].base)
            return outputText(b, i) + " becomes " + std::string(name(b.outputs[i].type));
    return std::nullopt;
}

}  // namespace aotscope
