#pragma once

#include "ir/graph.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace aotscope {

/// Whether a file that begins like this is a graph exported by aotscope, as text or JSON.
bool looksLikeExportedGraph(std::string_view beginning);

/// Reads what `aotscope export` writes as .txt or .json; exporting the result gives the same file. Throws Error naming
/// `file`, with line and column for text.
std::unique_ptr<Graph> parseExportedGraph(std::string_view content, const std::string& file);
std::unique_ptr<Graph> readExportedGraph(const std::filesystem::path& path);

}  // namespace aotscope
