#pragma once

#include "support/trimmed.h"

#include <string_view>

namespace aotscope {

/// The text after `words` at the start of `line`; empty if it starts differently.
inline std::string_view behind(std::string_view line, std::string_view words) {
    return line.starts_with(words) ? trimmed(line.substr(words.size())) : std::string_view();
}

}  // namespace aotscope
