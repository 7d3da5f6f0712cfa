#pragma once

#include "session/rank_run.h"
#include "support/progress.h"

#include <cstddef>

namespace aotscope {

/// Like compileRanks(), for a remote model; all ranks run on its machine. The sessions contain the records; the ranks
/// can only run together, not individually.
std::shared_ptr<const Ranks> compileRanksThere(const Options& options, std::size_t count, const Progress& progress,
                                               const RankSource& source);

}  // namespace aotscope
