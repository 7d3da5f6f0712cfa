#pragma once

#include "record/options/options.h"

#include <cstddef>
#include <filesystem>
#include <string>

namespace aotscope {

/// The options of one of `count` ranks: "{rank}" in the names of files is replaced, and the seed is its own. Throws
/// UsageError for options that say something else about the world.
Options optionsOfRank(Options options, std::size_t rank, std::size_t count);

/// Files of models, weights and inputs with "{rank}" in place of the number of a rank: see namedByRank().
Options withNumberedFiles(Options options, std::size_t count);

/// Throws UsageError for a model on another machine: a rank that is a process runs on this one.
void requireHere(const std::string& model);

/// `text` with the rank in place of "{rank}".
std::string ofRank(std::string text, std::size_t rank);
/// The other way: a file with "{rank}" in place of the number of a rank in its name, if there is such a file for each
/// of `count` ranks; else `file`. The number stands alone, or behind the word "rank", "stage" or "shard".
std::string namedByRank(const std::string& file, std::size_t count);

/// Throws UsageError, which names the option, for a file that all ranks would write: one without "{rank}" in its name.
/// `what`: what every rank writes there.
void requireOwnFiles(const std::string& option, const std::filesystem::path& file, const std::string& what);

}  // namespace aotscope
