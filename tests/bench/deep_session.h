#pragma once

#include <filesystem>
#include <string>

namespace aotscope {

/// Writes a session whose joint graph has about so many nodes, partitioned, and returns its path. The file stays until
/// the program ends.
std::filesystem::path writeDeepSession(int nodes);

}  // namespace aotscope
