#pragma once

#include "session/rank_runs.h"

#include <nlohmann/json_fwd.hpp>

namespace aotscope {

struct ServedRequest;

/// As compileRanks(), checkRanks() and debugRanks(), for a model on another machine, where all ranks run. The sessions
/// hold what came of it; the ranks run on together, not one by one.
std::vector<RankRun> compileRanksThere(const Options& options, std::size_t count, const Progress& progress,
                                       const RankSource& source);
std::vector<RankRun> checkRanksThere(const Options& options, std::size_t count, const RankJob& job,
                                     const Progress& progress, const RanksCompiled& compiled);
std::shared_ptr<RanksDebugger> debugRanksThere(const std::vector<RankRun>& runs, const Progress& progress);

/// The other side: ranks that a client has compiled.
struct RanksHere {
    Options options;
    std::vector<RankRun> runs;
};
/// Carries out what the first two ask for, and what the third does.
nlohmann::json answerRanks(const Options& options, const ServedRequest& request);
std::shared_ptr<RanksDebugger> debugRanksHere(const ServedRequest& request);

}  // namespace aotscope
