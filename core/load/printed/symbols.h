#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace aotscope {

/// Values of size symbols in printed graphs: "s97" -> 6.
using SymbolHints = std::map<std::string, std::int64_t, std::less<>>;

/// The value of a printed size such as "Max(1, (s98//4))*s97"; nothing if a symbol has no hint, a function is unknown,
/// or the value is out of range.
std::optional<std::int64_t> evaluateSize(std::string_view expression, const SymbolHints& hints);

}  // namespace aotscope
