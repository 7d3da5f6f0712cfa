#pragma once

#include "support/confinement.h"

#include <filesystem>
#include <vector>

namespace aotscope {

/// Confines the calling thread permanently, and all threads that it starts from now on: the process, if there is no
/// other thread yet. In the folders `writable`, files and folders can be made, written and removed. Returns what is in
/// effect.
Confinement confineThread(const std::vector<std::filesystem::path>& writable = {});

}  // namespace aotscope
