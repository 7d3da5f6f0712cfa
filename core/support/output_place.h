#pragma once

#include <filesystem>
#include <optional>

namespace aotscope {

/// Where a path for writing leads.
struct OutputPlace {
    std::filesystem::path folder, name;  ///< behind all links; nothing need be there yet
    std::optional<int> descriptor;       ///< of this process, for /dev/stdout, /dev/fd/N and links to them
    bool special = false;                ///< a device or a FIFO: written into, not replaced
};

/// Follows links, also those that lead nowhere yet. Throws Error naming the path for a folder, a socket, and links that
/// lead in a circle.
OutputPlace outputPlace(const std::filesystem::path& path);

}  // namespace aotscope
