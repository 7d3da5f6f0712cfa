#pragma once

#include "ir/graph.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace aotscope {

/// Whether a file that begins so is a graph that aotscope exported: as text, or as JSON.
bool looksLikeExportedGraph(std::string_view beginning);

/// Reads what `aotscope export` writes as .txt or .json; exported again, it is the same. Throws Error naming `file`,
/// with line and column of a text.
std::unique_ptr<Graph> parseExportedGraph(std::string_view content, const std::string& file);
std::unique_ptr<Graph> readExportedGraph(const std::filesystem::path& path);

}  // namespace aotscope
