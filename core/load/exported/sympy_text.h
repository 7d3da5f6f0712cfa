#pragma once

#include "ir/symbolic.h"

#include <optional>
#include <string_view>

namespace aotscope {

/// Parses an expression written by SymPy's srepr(): "Mul(Integer(2), Symbol('s77', integer=True))". Nothing for
/// expressions without a SymExpr, such as a maximum, and for invalid text.
std::optional<SymExpr> readSympy(std::string_view text);

}  // namespace aotscope
