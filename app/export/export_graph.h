#pragma once

#include "export/picture_style.h"
#include "record/graph_difference.h"
#include "session/session.h"

#include <filesystem>
#include <string>

namespace aotscope {

/// The graph formats that this build can write.
std::vector<std::string> exportFormats();

/// Writes `graph` to `file` in `format` (empty: the file's ending) and returns a sentence about it. `session`, whose
/// graph it is, is needed for TorchScript and for the colours of kernels; null: these are refused. Throws UsageError
/// for a format that this build cannot write or that has no such style, Error when the file cannot be written.
std::string exportGraph(const Graph& graph, GraphKind kind, const CompileRecord& record, const Session* session,
                        std::string format, const std::filesystem::path& file, const PictureStyle& style = {});

/// Two graphs, and the runs that have them: two, or the same one.
struct ComparedGraphs {
    const GraphDifference& difference;
    const CompileRecord &before, &after;
};

/// Throws UsageError if the ending of `file` is not that of a picture that this build can write.
void requirePictureFormat(const std::filesystem::path& file);

/// Writes one picture of both graphs, in the format of the ending of `file`, and returns a sentence about it.
/// Throws as requirePictureFormat does, Error when the file cannot be written.
std::string exportDifference(const ComparedGraphs& graphs, const std::string& title, const std::filesystem::path& file,
                             const PictureStyle& style = {});

}  // namespace aotscope
