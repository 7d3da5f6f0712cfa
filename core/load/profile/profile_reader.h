#pragma once

#include "load/profile/profile.h"
#include "support/progress.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace aotscope {

/// Reads a file of torch.profiler (prof.export_chrome_trace), plain or compressed by gzip, in a fraction of the memory
/// that its JSON would take. Throws Error naming the file and what it is instead; Cancelled.
Profile readProfile(const std::filesystem::path& file, const Progress& progress = {});
/// The same for the bytes of a file. `where` precedes errors.
Profile parseProfile(std::string_view bytes, const std::string& where, const Progress& progress = {});

/// Whether the bytes of a file begin like those of a profile. Cheap.
bool looksLikeProfile(std::string_view file);

}  // namespace aotscope
