#pragma once

#include "record/options/options.h"

#include <cstddef>
#include <filesystem>
#include <string>

namespace aotscope {

/// The options of one of `count` ranks: "{rank}" in file names is replaced, and each rank has its own seed. Throws
/// UsageError for options that contradict the world.
Options optionsOfRank(Options options, std::size_t rank, std::size_t count);

/// Replaces the number of a rank by "{rank}" in files of models, weights and inputs: see namedByRank().
Options withNumberedFiles(Options options, std::size_t count);

/// Throws UsageError for a remote model: a rank that is a process runs on this machine.
void requireHere(const std::string& model);

/// `text` with "{rank}" replaced by the rank.
std::string ofRank(std::string text, std::size_t rank);
/// The inverse: a file with "{rank}" instead of a rank's number in its name, if such a file exists for each of `count`
/// ranks; otherwise `file`. The number stands alone, or after the word "rank", "stage" or "shard".
std::string namedByRank(const std::string& file, std::size_t count);

/// Throws UsageError, naming the option, for a file that all ranks would write: one without "{rank}" in its name.
/// `what`: what every rank writes there.
void requireOwnFiles(const std::string& option, const std::filesystem::path& file, const std::string& what);

}  // namespace aotscope
