#pragma once

#include "record/options/options.h"

#include <filesystem>
#include <string>
#include <vector>

namespace aotscope {

/// A file and the option that names it.
struct NamedFile {
    std::string option;
    std::filesystem::path path;
};

/// The files that a run with `options` reads, including those named by its input spec.
std::vector<NamedFile> filesRead(const Options& options);

/// Throws UsageError if one of `written` is also in `read` (under another name or link, too) or is written twice, and
/// Error if it cannot be written at all. A session may overwrite itself, since it has been read by then.
void requireSeparateFiles(const std::vector<NamedFile>& read, const std::vector<NamedFile>& written);

}  // namespace aotscope
