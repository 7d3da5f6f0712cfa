#pragma once

#include "load/model_source.h"
#include "session/session.h"

#include <filesystem>

namespace aotscope {

/// A session on graphs that Python printed, in what may hold them (see mayBePrinted): readable text, a TORCH_LOGS log,
/// a TORCH_TRACE log (also without graphs) or a folder of those. Null if a text holds no such graph. Folders, and texts
/// with one graph after several passes, are sequences of passes, of which `observer` is told if it is not null. Throws
/// Error if one of the graphs cannot be read.
std::shared_ptr<const Session> openPrinted(const Options& options, ModelSource source, const Progress& progress,
                                           const std::shared_ptr<const Session>& previous, PassObserver* observer);

/// One compilation in such a file: its id, and the kind and number of operations of each of its graphs.
struct PrintedSummary {
    std::string id;
    std::vector<std::pair<std::string, std::size_t>> graphs;
    std::string error;  ///< why its graphs are unreadable
};

/// All compilations in a file. Throws Error without any.
std::vector<PrintedSummary> summarizePrinted(const std::filesystem::path& path, const Progress& progress);

}  // namespace aotscope
