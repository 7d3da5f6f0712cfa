#pragma once

#include "cli/launched_ranks.h"

#include <functional>

namespace aotscope {

class RankProcess;

/// Meets the other ranks that were launched and runs `job`. Returns its exit code, or that of an error, which one of
/// the ranks prints.
int runAsRank(const LaunchedRanks& ranks, const Options& options, const std::function<int(RankProcess&)>& job);

}  // namespace aotscope
