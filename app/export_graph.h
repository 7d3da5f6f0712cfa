#pragma once

#include "session.h"

#include <filesystem>
#include <string>

namespace aotscope {

/// The graph formats that this build can write.
std::vector<std::string> exportFormats();

/// Writes `graph` of `session` to `file` in `format` (empty: the file's ending) and returns a sentence about it.
/// `colour`: what the boxes of a picture tell by their fill ("part", "family", "bytes", ...); empty: part. `overlay`: a
/// file of values to colour by instead; empty: none. Throws UsageError for a format that this build cannot write, Error
/// when the file cannot be written.
std::string exportGraph(const Graph& graph, GraphKind kind, const Session& session, std::string format,
                        const std::filesystem::path& file, const std::string& colour = {},
                        const std::filesystem::path& overlay = {});

}  // namespace aotscope
