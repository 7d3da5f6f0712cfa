#pragma once

#include "session/rank_runs.h"

#include <nlohmann/json_fwd.hpp>

namespace aotscope {

struct ServedRequest;

/// As compileRanks() and checkRanks(), for a model on another machine, where all ranks run. The sessions hold what came
/// of it; nothing more can be run on them.
std::vector<RankRun> compileRanksThere(const Options& options, std::size_t count, const Progress& progress);
std::vector<RankRun> checkRanksThere(const Options& options, std::size_t count, const RankJob& job,
                                     const Progress& progress, const RanksCompiled& compiled);

/// The other side: carries out what the two ask for.
nlohmann::json answerRanks(const Options& options, const ServedRequest& request);

}  // namespace aotscope
