#pragma once

#include "session/rank_run.h"
#include "support/progress.h"

#include <cstddef>

namespace aotscope {

class RanksDebugger;

/// As compileRanks(), checkRanks() and debugRanks(), for a model on another machine, where all ranks run. The sessions
/// hold what came of it; the ranks run on together, not one by one.
std::vector<RankRun> compileRanksThere(const Options& options, std::size_t count, const Progress& progress,
                                       const RankSource& source);
std::vector<RankRun> checkRanksThere(const Options& options, std::size_t count, const RankJob& job,
                                     const Progress& progress, const RanksCompiled& compiled);
std::shared_ptr<RanksDebugger> debugRanksThere(const std::vector<RankRun>& runs, const Progress& progress);

}  // namespace aotscope
