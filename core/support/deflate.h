#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// Deflate (RFC 1951), as zip archives use it.
namespace aotscope {

std::string deflated(std::string_view content);

/// The `size` bytes that were packed; nothing if `packed` is damaged, or stands for more or fewer. Takes no more memory
/// than those bytes, whatever `packed` says.
std::optional<std::string> inflated(std::string_view packed, std::size_t size);

}  // namespace aotscope
