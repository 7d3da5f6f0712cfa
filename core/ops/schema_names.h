#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// Names of an operator's arguments, from its schema: "input", "weight", ... Empty for an operator outside of the
/// dispatcher (operator.getitem, TorchScript's own).
std::vector<std::string> argumentNames(std::string_view op);

}  // namespace aotscope
