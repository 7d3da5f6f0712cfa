#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace aotscope {

/// Takes the next bytes of a file.
using ByteSink = std::function<void(std::string_view)>;

/// Writes through a temporary file beside `path` and a rename, so that a reader sees the old or the new
/// content and never half of it, whatever happens to the process or the machine meanwhile. A link stays a link: the
/// file that it leads to is replaced, or made. Devices, FIFOs and open descriptors (/dev/stdout, /dev/fd/N) are written
/// into. Throws Error naming the path and the system's reason; then the old file is as it was.
void writeFileAtomically(const std::filesystem::path& path, std::string_view content);
/// The same for content that comes piece by piece.
void writeFileAtomically(const std::filesystem::path& path, const std::function<void(const ByteSink&)>& produce);

/// The whole file. Throws Error naming the path when it is missing, no regular file, or larger than `limit` bytes.
std::string readFile(const std::filesystem::path& path, std::uintmax_t limit);

/// The same for what a person has named: also what a pipe brings, as in "--inputs <(command)".
std::string readInput(const std::filesystem::path& path, std::uintmax_t limit);

}  // namespace aotscope
