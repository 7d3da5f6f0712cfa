#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace aotscope {

/// Writes through a temporary file beside `path` and a rename, so that a reader sees the old or the new
/// content and never half of it. Throws Error naming the path and the system's reason.
void writeFileAtomically(const std::filesystem::path& path, std::string_view content);

/// The whole file. Throws Error naming the path when it is missing, a folder, or larger than `limit` bytes.
std::string readFile(const std::filesystem::path& path, std::uintmax_t limit);

}  // namespace aotscope
