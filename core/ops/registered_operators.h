#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace aotscope {

/// The row of an operator that is registered with LibTorch's dispatcher (see OperatorFacts).
std::optional<std::string> registeredRow(std::string_view op);

}  // namespace aotscope
