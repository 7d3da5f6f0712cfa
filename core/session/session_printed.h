#pragma once

#include "session/session.h"

#include <filesystem>

namespace aotscope {

/// A session on graphs that Python printed: readable text, a TORCH_LOGS or a TORCH_TRACE log. Null when the file of
/// `options` holds no such graph. Throws Error when it does and one of them cannot be read.
std::shared_ptr<const Session> openPrinted(const Options& options, const Progress& progress,
                                           const std::shared_ptr<const Session>& previous);

/// One compilation of such a file: its id, and for each of its graphs what it is and how many operations it has.
struct PrintedSummary {
    std::string id;
    std::vector<std::pair<std::string, std::size_t>> graphs;
    std::string error;  ///< why its graphs cannot be read
};

/// All compilations of a file. Throws Error when it holds none.
std::vector<PrintedSummary> summarizePrinted(const std::filesystem::path& path, const Progress& progress);

}  // namespace aotscope
