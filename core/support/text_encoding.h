#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace aotscope {

/// How the characters of a text are stored. PowerShell's '>' and editors of Windows write UTF-16.
enum class TextEncoding : std::uint8_t { utf8, utf16Little, utf16Big };

/// Told by the mark of the byte order, or by zeros in every other byte of what begins like a text.
TextEncoding encodingOf(std::string_view beginning);

/// `bytes` in UTF-8 without a mark of the byte order. What is no UTF-16 is replaced; UTF-8 is not checked.
std::string toUtf8(std::string_view bytes, TextEncoding encoding);

/// A whole text, whose beginning says how it is encoded.
std::string toUtf8(std::string_view text);

/// The first `count` bytes of a file, as a text in UTF-8; empty if it is not a regular file or cannot be read.
std::string beginningOfText(const std::filesystem::path& path, std::size_t count);

}  // namespace aotscope
