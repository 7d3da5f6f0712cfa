#pragma once

#include "record/compile_record.h"
#include "record/results/minify_result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace aotscope {

/// The files that exportMinified writes for "repro.py": also "repro.pt" and "repro.txt"; none for an empty name.
std::vector<std::filesystem::path> minifiedFiles(const std::filesystem::path& script);

/// Writes a minified graph as a Python program, the values of its inputs, and the graph as text. Returns a sentence
/// about it.
std::string exportMinified(const MinifyResult& result, const CompileRecord& record,
                           const std::filesystem::path& script);

}  // namespace aotscope
