#include "ir/output_names.h"

#include "support/quoted.h"

#include <algorithm>

namespace aotscope {

namespace {

constexpr std::string_view kOutput = "output ";

/// "0", "1.0"
bool isPosition(std::string_view name) {
    return !name.empty() && std::ranges::all_of(name, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
}

/// "output 0", "output 1.0"
bool isNumbered(std::string_view label) {
    return label.starts_with(kOutput) && isPosition(label.substr(kOutput.size()));
}

}  // namespace

std::string outputLabel(std::string_view name, std::size_t index) {
    if (name.empty()) return std::string(kOutput) + std::to_string(index);
    return (isPosition(name) ? std::string(kOutput) : std::string()) + std::string(name);
}

std::string outputText(std::string_view label) {
    return isNumbered(label) ? std::string(label) : std::string(kOutput) + inQuotes(label);
}

std::string outputName(const OutputSlot& slot) { return isNumbered(slot.label) ? std::string() : slot.label; }

std::string outputLabel(const FunctionMetadata& function, std::size_t index) {
    return outputLabel(index < function.outputs.size() ? function.outputs[index].name : "", index);
}

std::string outputText(const FunctionMetadata& function, std::size_t index) {
    return outputText(outputLabel(function, index));
}

std::vector<OutputSlot> userOutputs(const std::vector<std::string>& names) {
    std::vector<OutputSlot> slots;
    for (std::size_t i = 0; i < names.size(); ++i) slots.push_back({Role::userOutput, outputLabel(names[i], i)});
    return slots;
}

std::vector<OutputSlot> userOutputs(std::size_t count) { return userOutputs(std::vector<std::string>(count)); }

}  // namespace aotscope
