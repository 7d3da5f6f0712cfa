#pragma once

#include "session/rank_run.h"
#include "support/progress.h"

#include <cstddef>

namespace aotscope {

class Debugger;

/// Like compileRanks(), checkRanks() and debugRanks(), for a remote model; all ranks run on its machine. The sessions
/// contain the results; the ranks can only run together, not individually.
std::vector<RankRun> compileRanksThere(const Options& options, std::size_t count, const Progress& progress,
                                       const RankSource& source);
std::vector<RankRun> checkRanksThere(const Options& options, std::size_t count, const RankJob& job,
                                     const Progress& progress, const RanksCompiled& compiled);
std::shared_ptr<Debugger> debugRanksThere(const std::vector<RankRun>& runs, const Progress& progress);

}  // namespace aotscope
