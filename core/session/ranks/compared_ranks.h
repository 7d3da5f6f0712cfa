#pragma once

#include "record/history/rank_difference.h"
#include "record/options/options.h"
#include "support/progress.h"

#include <string>
#include <vector>

namespace aotscope {

/// Compares what the files hold as ranks of one program, in their order: models, which are compiled with `options`,
/// saved sessions, logs and texts of printed graphs, reports, and folders with a log of each rank. All but reports may
/// be on other machines. Of logs with several compilations, each is compared that `options` do not leave out. Throws
/// UsageError for a single rank, Error, which names the file, Cancelled.
RankComparison compareRankFiles(const std::vector<std::string>& files, const Options& options,
                                const Progress& progress);

struct RankRun;
/// The same of ranks that have been compiled together.
RankComparison compareRankRuns(const std::vector<RankRun>& runs);

}  // namespace aotscope
