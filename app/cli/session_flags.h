#pragma once

#include "record/options/options.h"

#include <CLI/App.hpp>

namespace aotscope {

/// Removes the session file from the nodes of --save and returns it: `run --save FILE.aotscope` writes a session. Empty
/// if there is no such file. Throws UsageError for several.
std::filesystem::path takeSessionFile(std::vector<std::string>& saved);

/// Throws UsageError if the nodes of --save include a session file.
void refuseSessionFile(const std::vector<std::string>& saved);

/// Saved and printed graphs are partitioned already; partitioner options given to `parser` request a new partition.
void partitionAnew(const CLI::App& parser, Options& options);

}  // namespace aotscope
