#include "models/metadata_links.h"

namespace aotscope {

namespace {

NodeId nodeAt(const std::vector<NodeId>& nodes, std::size_t i) { return i < nodes.size() ? nodes[i] : kNoNode; }

}  // namespace

MetadataLinks::MetadataLinks(const Graph& graph, GraphKind kind, const CompileRecord& record)
    : function_(record.metadata.get()) {
    // Values of the forward in a backward have the ids of the joint graph.
    const auto joint = kind == GraphKind::backward ? record.graph(GraphKind::joint) : nullptr;
    const Graph& where = joint ? *joint : graph;
    if (match(where, record.graphMetadata.get()) || match(where, function_)) takeOutputs(where);
}

MetadataLinks MetadataLinks::ofFinalGraph(const CompileRecord& record, GraphKind& kind) {
    for (const GraphKind candidate : {GraphKind::joint, GraphKind::inference, GraphKind::functional})
        if (const auto graph = record.graph(candidate)) {
            kind = candidate;
            return {*graph, candidate, record};
        }
    return {Graph(""), kind, {}};
}

/// Placeholders are in the order of the inputs; inputs that a graph does not need may be missing.
bool MetadataLinks::match(const Graph& graph, const FunctionMetadata* metadata) {
    if (!metadata) return false;
    inputOf_.clear();
    inputNodes_.assign(metadata->inputs.size(), kNoNode);
    std::size_t next = 0;
    for (const Node* node : graph.placeholders()) {
        if (node->role == Role::tangent) continue;
        const std::string& name = node->label.empty() ? node->name() : node->label;
        std::size_t i = next;
        while (i < metadata->inputs.size() && metadata->inputs[i].name != name) ++i;
        if (i == metadata->inputs.size()) {
            if (node->type.scalar()) continue;  // a dynamic size
            return false;
        }
        inputOf_[node->id()] = i;
        inputNodes_[i] = node->id();
        next = i + 1;
    }
    described_ = metadata;
    return true;
}

void MetadataLinks::takeOutputs(const Graph& graph) {
    const auto mutated = described_->mutatedInputIndices();
    std::size_t updates = 0;
    for (std::size_t i = 0; i < graph.outputs().size(); ++i) {
        const Node* node = graph.outputs()[i].node();
        const NodeId id = node ? node->id() : kNoNode;
        switch (graph.outputSlots()[i].role) {
            case Role::mutatedInput:
                if (node && updates < mutated.size()) returned_[id].updates.push_back(mutated[updates]);
                ++updates;
                break;
            case Role::userOutput:
                if (node) returned_[id].outputs.push_back(outputNodes_.size());
                outputNodes_.push_back(id);
                break;
            case Role::intermediateBase:
                if (node) returned_[id].bases.push_back(baseNodes_.size());
                baseNodes_.push_back(id);
                break;
            default: break;
        }
    }
}

const CallingConvention* MetadataLinks::convention() const {
    const bool other = described_ && described_ != function_ && function_ && !function_->convention.inputs.empty();
    return other ? &function_->convention : nullptr;
}

std::optional<std::size_t> MetadataLinks::inputOf(NodeId placeholder) const {
    const auto it = inputOf_.find(placeholder);
    return it == inputOf_.end() ? std::nullopt : std::optional(it->second);
}

std::vector<std::size_t> MetadataLinks::argumentsOf(NodeId placeholder) const {
    const auto input = inputOf(placeholder);
    if (!input) return {};
    const CallingConvention* convention = this->convention();
    if (!convention) return {*input};
    std::vector<std::size_t> arguments;
    for (std::size_t i = 0; i < convention->arguments.size(); ++i)
        if (convention->arguments[i].input == *input) arguments.push_back(i);
    return arguments;
}

bool MetadataLinks::isSyntheticBase(NodeId placeholder) const {
    const auto input = inputOf(placeholder);
    const CallingConvention* convention = this->convention();
    return input && convention && convention->inputs[*input].syntheticBase;
}

const MetadataLinks::Returned* MetadataLinks::returnedAs(NodeId node) const {
    const auto it = returned_.find(node);
    return it == returned_.end() ? nullptr : &it->second;
}

std::size_t MetadataLinks::describedInput(std::size_t argument) const {
    const CallingConvention* convention = this->convention();
    return convention && argument < convention->arguments.size() ? convention->arguments[argument].input : argument;
}

NodeId MetadataLinks::placeholderOf(std::size_t argument) const {
    return described_ ? nodeAt(inputNodes_, describedInput(argument)) : kNoNode;
}

NodeId MetadataLinks::outputNode(std::size_t output) const { return nodeAt(outputNodes_, output); }
NodeId MetadataLinks::baseNode(std::size_t base) const { return nodeAt(baseNodes_, base); }

}  // namespace aotscope
