#pragma once

#include "ops/op_table.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace aotscope {

template <std::size_t count>
bool isOneOf(std::string_view name, const std::array<std::string_view, count>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// The name without overload, and without the underscore of in-place operations.
inline std::string_view plainName(const Node& user) {
    auto op = shortOpName(user.op());
    if (op.ends_with('_')) op.remove_suffix(1);
    return op;
}

}  // namespace aotscope
