#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace aotscope::fuzz {

/// Ends the target with a finding unless `condition` holds.
inline void expect(bool condition, std::string_view what) {
    if (!condition) throw std::logic_error(std::string(what));
}

}  // namespace aotscope::fuzz
