#include "ir/metadata.h"

#include "ir/output_names.h"
#include "support/enumerators.h"

#include <algorithm>

namespace aotscope {

std::string_view name(MutationType type) {
    using enum MutationType;
    return textFor(type,
                   {{notMutated, "NOT_MUTATED"}, {inGraph, "MUTATED_IN_GRAPH"}, {outOfGraph, "MUTATED_OUT_GRAPH"}});
}

std::string_view name(OutputType type) { return spelled<'_'>(type); }

namespace {

template <typename Element, typename Predicate>
std::vector<std::size_t> indicesWhere(const std::vector<Element>& elements, Predicate&& holds) {
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < elements.size(); ++i)
        if (holds(elements[i])) indices.push_back(i);
    return indices;
}

}  // namespace

std::vector<std::size_t> FunctionMetadata::mutatedInputIndices() const {
    return indicesWhere(inputs, [](const InputInfo& i) { return i.mutation == MutationType::outOfGraph; });
}

std::vector<std::size_t> FunctionMetadata::inputsMutatedInGraph() const {
    return indicesWhere(inputs, [](const InputInfo& i) { return i.mutation == MutationType::inGraph; });
}

bool FunctionMetadata::mutatesInputs() const {
    return std::any_of(inputs.begin(), inputs.end(),
                       [](const InputInfo& i) { return i.mutation != MutationType::notMutated; });
}

std::vector<std::size_t> FunctionMetadata::aliasedOutputIndices() const {
    return indicesWhere(outputs, [](const OutputInfo& o) { return o.isAlias(); });
}

std::vector<std::size_t> FunctionMetadata::unsafeViewOutputIndices() const {
    return indicesWhere(outputs, [](const OutputInfo& o) { return o.type == OutputType::unsafeViewAlias; });
}

std::vector<bool> FunctionMetadata::tangentMask() const {
    std::vector<bool> mask;
    for (auto i : mutatedInputIndices()) mask.push_back(inputs[i].mutationIsDifferentiable());
    for (const auto& output : outputs)
        mask.push_back((!output.isAlias() || output.ownHistory) && output.isTensor && output.requiresGradForBackward);
    mask.resize(mask.size() + intermediateBases, true);
    return mask;
}

std::vector<OutputSlot> FunctionMetadata::forwardSlots() const {
    std::vector<OutputSlot> slots;
    for (auto i : mutatedInputIndices()) slots.push_back({Role::mutatedInput, inputs[i].name});
    for (std::size_t i = 0; i < outputs.size(); ++i)
        slots.push_back({Role::userOutput, outputLabel(outputs[i].name, i)});
    for (std::size_t i = 0; i < intermediateBases; ++i)
        slots.push_back({Role::intermediateBase, "base " + std::to_string(i)});
    return slots;
}

FunctionMetadata FunctionMetadata::at(const SymbolValues& values) const {
    FunctionMetadata here = *this;
    for (InputInfo& input : here.inputs) {
        if (input.tensor) input.tensor = input.tensor->at(values);
        if (input.after) input.after = input.after->at(values);
    }
    for (OutputInfo& output : here.outputs) {
        if (output.asWritten) output.asWritten = output.asWritten->at(values);
        if (!output.tensor || !output.tensor->symbolic) continue;
        TensorType type = output.tensor->at(values);
        if (type.sizes != output.tensor->sizes) output.replaysViews = false;
        output.tensor = std::move(type);
    }
    for (TensorType& tangent : here.tangents) tangent = tangent.at(values);
    return here;
}

MutationType mutationType(const InputInfo& input, bool keepInputMutations) {
    if (!input.mutatesData && !input.mutatesMetadata) return MutationType::notMutated;
    const bool unseen = input.mutationsHiddenFromAutograd || input.mutationsUnderNoGrad;
    const bool ofData = input.mutatesData || input.mutatesStorageMetadata;
    const bool shapeKept = !input.mutatesMetadata || input.mutatesStorageMetadata;
    return keepInputMutations && ofData && shapeKept && (unseen || (!input.mutatesMetadata && !input.requiresGrad))
               ? MutationType::inGraph
               : MutationType::outOfGraph;
}

}  // namespace aotscope
