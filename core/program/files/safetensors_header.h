#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace aotscope {

// A .safetensors file begins with the length of its header, which is JSON.
inline constexpr std::size_t kSafetensorsLengthBytes = 8;
inline constexpr std::size_t kLargestSafetensorsHeader = 32U << 20;

/// `content` has at least the bytes of the length.
inline std::uint64_t safetensorsHeaderLength(std::string_view content) {
    std::uint64_t length = 0;
    for (std::size_t i = kSafetensorsLengthBytes; i-- > 0;)
        length = length << 8 | static_cast<unsigned char>(content[i]);
    return length;
}

/// Whether a file with this beginning may be .safetensors: the header's length, then an opening brace.
inline bool looksLikeSafetensors(std::string_view content) {
    return content.size() > kSafetensorsLengthBytes && content[kSafetensorsLengthBytes] == '{' &&
           safetensorsHeaderLength(content) <= std::max<std::uint64_t>(content.size(), kLargestSafetensorsHeader);
}

}  // namespace aotscope
