#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace aotscope {

/// The encoding of a text. PowerShell's '>' and editors on Windows write UTF-16.
enum class TextEncoding : std::uint8_t { utf8, utf16Little, utf16Big };

/// Detected by the byte order mark, or by zeros in every other byte of what looks like text.
TextEncoding encodingOf(std::string_view beginning);

/// `bytes` in UTF-8 without a byte order mark. Invalid UTF-16 is replaced; UTF-8 is not checked.
std::string toUtf8(std::string_view bytes, TextEncoding encoding);

/// A whole text, whose encoding is detected at its beginning.
std::string toUtf8(std::string_view text);

/// The first `count` bytes of a file as UTF-8 text; empty if it is not a regular file or cannot be read.
std::string beginningOfText(const std::filesystem::path& path, std::size_t count);

}  // namespace aotscope
