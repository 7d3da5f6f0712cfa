#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace aotscope {

/// A text of a stranger may have more: they stay together in the last part.
inline constexpr std::size_t kMostParts = 100'000;

/// The parts of "a, f(b, c), 'd, e'" between commas outside of brackets and strings, without blanks around them. An
/// empty part at the end, as in "(4,)", is none.
std::vector<std::string_view> splitOutside(std::string_view text);

/// Where `c` first stands outside of brackets and strings; npos: nowhere.
std::size_t findOutside(std::string_view text, char c, std::size_t from = 0);

}  // namespace aotscope
