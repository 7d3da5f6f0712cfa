#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace aotscope {

/// Receives the next bytes of a file.
using ByteSink = std::function<void(std::string_view)>;

/// Writes to a temporary file beside `path` and renames it, so that readers see the old or the new contents and never a
/// part, even after a crash. A link remains a link: its target is replaced or created. Devices, FIFOs and open
/// descriptors (/dev/stdout, /dev/fd/N) are written directly. Throws Error naming the path and the system's reason, and
/// leaves the old file unchanged.
void writeFileAtomically(const std::filesystem::path& path, std::string_view content);
/// The same for contents in pieces.
void writeFileAtomically(const std::filesystem::path& path, const std::function<void(const ByteSink&)>& produce);

/// Writes the contents of the regular file `from` in that way.
void copyFileAtomically(const std::filesystem::path& from, const std::filesystem::path& to);

/// The whole file. Throws Error naming the path if it is missing, not a regular file, or larger than `limit` bytes.
std::string readFile(const std::filesystem::path& path, std::uintmax_t limit);

/// A text file named by the user, converted to UTF-8. It may be a pipe, as in "--inputs <(command)".
std::string readInput(const std::filesystem::path& path, std::uintmax_t limit);

}  // namespace aotscope
