#pragma once

#include "ir/metadata.h"

#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// The display name of an output: "logits", "past_key_values.1.0"; "output 1.0" if it has only a position. `name` is
/// OutputInfo::name, `index` the position among all outputs, for an output without a name.
std::string outputLabel(std::string_view name, std::size_t index);

/// The same in a sentence: "output 'logits'", "output 1.0".
std::string outputText(std::string_view name, std::size_t index);

/// OutputInfo::name of a graph's output; empty if it has only a position.
std::string outputName(const OutputSlot& slot);

/// For output `index` of the function.
std::string outputLabel(const FunctionMetadata& function, std::size_t index);
std::string outputText(const FunctionMetadata& function, std::size_t index);

/// The slots of a graph that returns the user's outputs, by their names.
std::vector<OutputSlot> userOutputs(const std::vector<std::string>& names);
std::vector<OutputSlot> userOutputs(std::size_t count);

}  // namespace aotscope
