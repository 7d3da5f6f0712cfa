#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace aotscope {

/// Takes the next bytes of a file.
using ByteSink = std::function<void(std::string_view)>;

/// Writes to a temporary file beside `path` and renames it, so that a reader sees the old or the new content and never
/// half of it, even after a crash. A link stays a link: its target is replaced or created. Devices, FIFOs and open
/// descriptors (/dev/stdout, /dev/fd/N) are written directly. Throws Error naming the path and the system's reason;
/// then the old file is unchanged.
void writeFileAtomically(const std::filesystem::path& path, std::string_view content);
/// The same for content in pieces.
void writeFileAtomically(const std::filesystem::path& path, const std::function<void(const ByteSink&)>& produce);

/// The whole file. Throws Error naming the path if it is missing, not a regular file, or larger than `limit` bytes.
std::string readFile(const std::filesystem::path& path, std::uintmax_t limit);

/// A text named by the user, in UTF-8 whatever it was. It may be a pipe, as in "--inputs <(command)".
std::string readInput(const std::filesystem::path& path, std::uintmax_t limit);

}  // namespace aotscope
