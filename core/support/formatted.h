#pragma once

#include <array>
#include <cstdio>
#include <string>

namespace aotscope {

/// A short text after a pattern of printf's.
template <typename... Args>
std::string formatted(const char* pattern, Args... args) {
    std::array<char, 160> buffer{};
    std::snprintf(buffer.data(), buffer.size(), pattern, args...);
    return buffer.data();
}

}  // namespace aotscope
