#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace aotscope {

/// An untrusted text may have more: they remain together in the last part.
inline constexpr std::size_t kMostParts = 100'000;

/// The parts of "a, f(b, c), 'd, e'" between commas outside of brackets and strings, without surrounding blanks.
/// Ignores an empty part at the end, as in "(4,)".
std::vector<std::string_view> splitOutside(std::string_view text);

/// The first `c` outside of brackets and strings, or npos.
std::size_t findOutside(std::string_view text, char c, std::size_t from = 0);

/// The whole number, below a million, that `text` begins with.
std::optional<std::size_t> countAtStart(std::string_view text);

}  // namespace aotscope
