#include "cost/profile/call_weights.h"

namespace aotscope {

namespace {

/// "3", "[5, 16]"; empty for other arguments.
std::string integerText(const Argument& argument) {
    if (const std::int64_t* number = argument.integer()) return std::to_string(*number);
    const Argument::List* list = argument.list();
    if (!list || list->empty()) return {};
    std::string text;
    for (const Argument& each : *list) {
        if (!each.integer()) return {};
        text += (text.empty() ? "[" : ", ") + std::to_string(*each.integer());
    }
    return text + "]";
}

}  // namespace

bool CallWeights::fitsTensor(const std::vector<std::int64_t>& sizes, const Node& node) const {
    const TensorType* type = node.type.tensor();
    if (!type) return true;
    if (type->sizes.size() != sizes.size()) return false;
    return ranksOnly_ || type->symbolic || type->sizes == sizes;
}

/// Arguments are compared by position; those that the graph gives by keyword, or not at all, are not.
bool CallWeights::fits(const std::vector<ProfiledSizes>& sizes, const Node& node) const {
    for (std::size_t i = 0; i < std::min(sizes.size(), node.args().size()); ++i) {
        const Argument& argument = node.args()[i];
        if (const Node* tensor = argument.node()) {
            if (sizes[i].size() != 1 || !fitsTensor(sizes[i].front(), *tensor)) return false;
        } else if (const Argument::List* list = argument.list()) {
            const bool tensors = !list->empty() && list->front().node() && list->front().node()->type.tensor();
            const bool isRecorded = sizes[i].size() != 1 || !sizes[i].front().empty();  // lists with None are not
            if (!tensors || !isRecorded) continue;
            if (sizes[i].size() != list->size()) return false;
            for (std::size_t k = 0; k < list->size(); ++k)
                if (const Node* element = (*list)[k].node(); element && !fitsTensor(sizes[i][k], *element))
                    return false;
        }
    }
    return true;
}

/// Numbers, as the profiler prints them. They may differ where they mean the same, so that they only speak for a call.
bool CallWeights::hasValues(const std::vector<std::string>& values, const Node& node) {
    bool any = false;
    for (std::size_t i = 0; i < std::min(values.size(), node.args().size()); ++i) {
        const std::string expected = integerText(node.args()[i]);
        if (expected.empty()) continue;
        if (expected != values[i]) return false;
        any = true;
    }
    return any;
}

const std::set<NodeId>* CallWeights::differentiates(std::int32_t operation) const {
    if (!sequences_) return nullptr;
    for (; operation >= 0; operation = profile_.operations[static_cast<std::size_t>(operation)].parent) {
        const std::int64_t sequence = profile_.operations[static_cast<std::size_t>(operation)].sequence;
        if (sequence < 0) continue;
        const auto known = sequences_->find(sequence);
        return known == sequences_->end() ? nullptr : &known->second;
    }
    return nullptr;
}

int CallWeights::operator()(std::int32_t index, int key, std::size_t at) const {
    const GraphCall& call = graph_.calls[at];
    if (call.key != key) return 0;
    const CpuOperation& operation = profile_.operations[static_cast<std::size_t>(index)];
    int weight = kName;
    if (operation.arguments >= 0) {
        const ProfiledArguments& arguments = profile_.arguments[static_cast<std::size_t>(operation.arguments)];
        if (!fits(arguments.sizes, *call.node)) return 0;
        weight += kSizes;
        if (hasValues(arguments.values, *call.node)) weight += kValues;
    }
    if (call.forward != kNoNode) {
        if (const auto* forward = differentiates(index)) {
            if (!forward->contains(call.forward)) return 0;
            weight += kSequence;
        }
    }
    const SourceInfo* place = call.node->source.get();
    if (operation.module && place && profile_.text(operation.module) == place->moduleType) weight += kModule;
    return weight;
}

}  // namespace aotscope
