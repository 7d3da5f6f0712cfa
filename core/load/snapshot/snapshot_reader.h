#pragma once

#include "load/snapshot/memory_snapshot.h"
#include "support/progress.h"

#include <filesystem>
#include <memory>
#include <string_view>

namespace aotscope {

/// Whether these first bytes of a file are those of a memory snapshot.
bool looksLikeMemorySnapshot(std::string_view beginning);

/// Reads the pickle of a memory snapshot; nothing in it is executed. It may be several gigabytes: equal texts, frames
/// and stacks are kept once, and an event takes 40 bytes. Throws Error (a clause that continues the name of the file)
/// for anything else, and beyond bounds.
std::shared_ptr<const MemorySnapshot> readMemorySnapshot(std::string_view pickle, const Progress& progress);

/// The same for a file. Errors name it.
std::shared_ptr<const MemorySnapshot> readMemorySnapshot(const std::filesystem::path& path, const Progress& progress);

}  // namespace aotscope
