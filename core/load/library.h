#pragma once

#include <filesystem>
#include <vector>

namespace aotscope {

/// Loads shared libraries that register operators, each once per process. Throws Error naming the library and the
/// system's reason.
void loadLibraries(const std::vector<std::filesystem::path>& libraries);

}  // namespace aotscope
