#pragma once

#include "load/model_source.h"
#include "session/session.h"

#include <filesystem>

namespace aotscope {

/// A session on graphs printed by Python, from a source that may contain them (see mayBePrinted): readable text, a
/// TORCH_LOGS log, a TORCH_TRACE log (also without graphs) or a folder of those. Null if a text contains no such graph.
/// Folders, and texts with one graph after several passes, are sequences of passes, which are reported to `observer`
/// unless it is null. Throws Error if one of the graphs is unreadable.
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
