#pragma once

#include "ir/symbolic.h"

#include <optional>
#include <string_view>

namespace aotscope {

/// The expression that SymPy's srepr() writes, as files have it: "Mul(Integer(2), Symbol('s77', integer=True))".
/// Nothing for what no SymExpr is, such as a maximum, and for texts that are no expression.
std::optional<SymExpr> readSympy(std::string_view text);

}  // namespace aotscope
