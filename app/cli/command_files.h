#pragma once

#include "record/options.h"

#include <filesystem>
#include <string>
#include <vector>

namespace aotscope {

/// A file and what the command line calls it.
struct NamedFile {
    std::string option;
    std::filesystem::path path;
};

/// The files that a run with `options` reads; those of its input spec, too.
std::vector<NamedFile> filesRead(const Options& options);

/// Throws UsageError when one of `written` is one of `read`, also by another name or link, or is written twice; Error
/// when it is nothing that can be written. A session may be written over itself: it has been read by then.
void requireSeparateFiles(const std::vector<NamedFile>& read, const std::vector<NamedFile>& written);

}  // namespace aotscope
