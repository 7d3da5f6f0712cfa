#include "ir/metadata.h"

#include <array>

namespace aotscope {

std::string_view name(MutationType type) {
    constexpr std::array<std::string_view, 3> names = {"NOT_MUTATED", "MUTATED_IN_GRAPH", "MUTATED_OUT_GRAPH"};
    return names.at(static_cast<std::size_t>(type));
}

std::string_view name(OutputType type) {
    constexpr std::array<std::string_view, 8> names = {
        "non_alias",
        "alias_of_input",
        "is_input",
        "alias_of_intermediate_save_as_output",
        "alias_of_intermediate",
        "alias_of_intermediate_base_is_user_output",
        "unsafe_view_alias",
        "custom_function_view",
    };
    return names.at(static_cast<std::size_t>(type));
}

std::vector<std::size_t> FunctionMetadata::mutatedInputIndices() const {
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (inputs[i].mutation == MutationType::outOfGraph) indices.push_back(i);
    return indices;
}

std::vector<std::size_t> FunctionMetadata::aliasedOutputIndices() const {
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < outputs.size(); ++i)
        if (outputs[i].isAlias()) indices.push_back(i);
    return indices;
}

std::vector<bool> FunctionMetadata::tangentMask() const {
    std::vector<bool> mask;
    for (auto i : mutatedInputIndices()) mask.push_back(inputs[i].mutatesData && inputs[i].requiresGrad);
    for (const auto& output : outputs)
        mask.push_back(!output.isAlias() && output.isTensor && output.requiresGradForBackward);
    mask.resize(mask.size() + intermediateBases, true);
    return mask;
}

std::vector<OutputSlot> FunctionMetadata::forwardSlots() const {
    std::vector<OutputSlot> slots;
    for (auto i : mutatedInputIndices()) slots.push_back({Role::mutatedInput, inputs[i].name});
    for (std::size_t i = 0; i < outputs.size(); ++i) slots.push_back({Role::userOutput, "output " + std::to_string(i)});
    for (std::size_t i = 0; i < intermediateBases; ++i)
        slots.push_back({Role::intermediateBase, "base " + std::to_string(i)});
    return slots;
}

FunctionMetadata FunctionMetadata::at(const SymbolValues& values) const {
    FunctionMetadata here = *this;
    for (InputInfo& input : here.inputs)
        if (input.tensor) input.tensor = input.tensor->at(values);
    for (OutputInfo& output : here.outputs) {
        if (!output.tensor || !output.tensor->symbolic) continue;
        TensorType type = output.tensor->at(values);
        if (type.sizes != output.tensor->sizes) output.replaysViews = false;
        output.tensor = std::move(type);
    }
    for (TensorType& tangent : here.tangents) tangent = tangent.at(values);
    return here;
}

std::vector<std::string> describeEpilogue(const FunctionMetadata& metadata) {
    std::vector<std::string> steps;
    for (auto i : metadata.mutatedInputIndices()) {
        const InputInfo& input = metadata.inputs[i];
        if (input.mutatesStorageMetadata) {
            steps.push_back("give '" + input.name + "' its new storage: set_(updated value)");
            continue;
        }
        if (input.mutatesMetadata)
            steps.push_back("give '" + input.name + "' its new sizes and strides: as_strided_(...)");
        if (!input.mutatesData) continue;
        const bool detached = input.isLeaf && input.tensor->requiresGrad;
        steps.push_back("write the updated value back: '" + input.name + "'" + (detached ? ".detach()" : "") +
                        ".copy_(...)");
    }
    for (std::size_t i = 0; i < metadata.outputs.size(); ++i) {
        const OutputInfo& output = metadata.outputs[i];
        if (!output.isAlias()) continue;
        const std::string what = "output " + std::to_string(i);
        const std::string base = output.base ? std::to_string(*output.base) : "?";
        const std::string how = output.sameAsBase     ? " as an alias"
                                : output.replaysViews ? " by replaying its views"
                                                      : " by as_strided";
        if (output.type == OutputType::isInput)
            steps.push_back("return input '" + metadata.inputs[*output.base].name + "' itself as " + what);
        else if (output.type == OutputType::aliasOfInput)
            steps.push_back("regenerate " + what + " from input '" + metadata.inputs[*output.base].name + "'" + how);
        else if (output.type == OutputType::aliasOfIntermediateBaseIsUserOutput)
            steps.push_back("regenerate " + what + " from output " + base + how);
        else steps.push_back("regenerate " + what + " from intermediate base " + base + how);
    }
    return steps;
}

}  // namespace aotscope
