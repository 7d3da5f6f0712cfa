#pragma once

#include <array>
#include <cstdint>
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

std::string formatBytes(std::int64_t bytes);  ///< "14.2 MB"
std::string formatMs(double ms);              ///< "12.3"

}  // namespace aotscope
