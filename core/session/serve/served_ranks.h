#pragma once

#include "session/rank_run.h"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <vector>

namespace aotscope {

class Debugger;
struct ServedRequest;

/// Ranks that a client has compiled here.
struct RanksHere {
    Options options;
    std::vector<RankRun> runs;
};
/// Executes the requests of compileRanksThere(), checkRanksThere() and debugRanksThere().
nlohmann::json answerRanks(const Options& options, const ServedRequest& request);
std::shared_ptr<Debugger> debugRanksHere(const ServedRequest& request);

}  // namespace aotscope
