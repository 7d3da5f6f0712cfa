#pragma once

#include <algorithm>
#include <string_view>

namespace aotscope {

/// `text` without `blanks` at its beginning and end.
inline std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r") {
    const auto first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// The first line of `text`, which keeps the others.
inline std::string_view takeLine(std::string_view& text) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    return line;
}

}  // namespace aotscope
