#pragma once

#include "passes/record.h"

#include <filesystem>
#include <string>

namespace aotscope {

/// Lays `graph` out and writes it as "svg", "png" or "pdf", without a window. `colour`: what the fill of a box tells,
/// "part", "family" or "mutation". Returns how long the layout took and what there is to say about it.
std::string exportPicture(const Graph& graph, GraphKind kind, const CompileRecord& record, const std::string& format,
                          const std::filesystem::path& file, const std::string& colour = "part");

}  // namespace aotscope
