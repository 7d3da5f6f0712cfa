#pragma once

#include "record/history/rank_difference.h"
#include "record/options/options.h"
#include "support/progress.h"

#include <string>
#include <vector>

namespace aotscope {

class Engine;

/// Compares the contents of files as ranks of one program, in order: models, which `engine` compiles with `options`,
/// saved sessions, logs and texts of printed graphs, reports, and folders with a log for each rank. All except reports
/// may be remote. For logs with several compilations, compares those that `options` select. Throws UsageError for a
/// single rank; Error, naming the file; Cancelled.
RankComparison compareRankFiles(const std::vector<std::string>& files, const Options& options, const Engine& engine,
                                const Progress& progress);

struct RankRun;
/// The same for ranks that were compiled together.
RankComparison compareRankRuns(const std::vector<RankRun>& runs);

}  // namespace aotscope
