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

std::string_view nameOf(const FunctionMetadata& function, std::size_t output) {
    return output < function.outputs.size() ? std::string_view(function.outputs[output].name) : std::string_view();
}

}  // namespace

std::string outputLabel(std::string_view name, std::size_t index) {
    if (name.empty()) return std::string(kOutput) + std::to_string(index);
    return (isPosition(name) ? std::string(kOutput) : std::string()) + std::string(name);
}

std::string outputText(std::string_view name, std::size_t index) {
    const std::string label = outputLabel(name, index);
    return name.empty() || isPosition(name) ? label : std::string(kOutput) + inQuotes(label);
}

std::string outputName(const OutputSlot& slot) {
    const bool numbered = slot.label.starts_with(kOutput) && isPosition(slot.label.substr(kOutput.size()));
    return numbered ? std::string() : slot.label;
}

std::string outputLabel(const FunctionMetadata& function, std::size_t index) {
    return outputLabel(nameOf(function, index), index);
}

std::string outputText(const FunctionMetadata& function, std::size_t index) {
    return outputText(nameOf(function, index), index);
}

std::vector<OutputSlot> userOutputs(const std::vector<std::string>& names) {
    std::vector<OutputSlot> slots;
    for (std::size_t i = 0; i < names.size(); ++i) slots.push_back({Role::userOutput, outputLabel(names[i], i)});
    return slots;
}

std::vector<OutputSlot> userOutputs(std::size_t count) { return userOutputs(std::vector<std::string>(count)); }

}  // namespace aotscope
