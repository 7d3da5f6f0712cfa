#pragma once

#include "support/trimmed.h"

#include <algorithm>
#include <string_view>

namespace aotscope {

/// Removes the first line from `text`.
inline std::string_view takeLine(std::string_view& text) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    return line;
}

/// The text after `words` at the start of `line`; empty if it starts differently.
inline std::string_view behind(std::string_view line, std::string_view words) {
    return line.starts_with(words) ? trimmed(line.substr(words.size())) : std::string_view();
}

}  // namespace aotscope
