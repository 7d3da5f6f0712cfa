#pragma once

#include <filesystem>
#include <optional>

namespace aotscope {

/// The target of a path for writing.
struct OutputPlace {
    std::filesystem::path folder, name;  ///< after following all links; need not exist
    std::optional<int> descriptor;       ///< of this process, for "-", /dev/stdout, /dev/fd/N and links to them
    bool special = false;                ///< a device or a FIFO: written into, not replaced
};

/// Follows links, including dangling ones. Throws Error naming the path for a folder, a socket, or a loop of links.
OutputPlace outputPlace(const std::filesystem::path& path);

}  // namespace aotscope
