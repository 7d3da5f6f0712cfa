#pragma once

#include "session/rank_run.h"
#include "support/progress.h"

#include <cstddef>

namespace aotscope {

class RemoteHost;

/// Like compileRanks(), by the engine of `host`. The sessions contain the records; the ranks can only run together, not
/// individually.
std::shared_ptr<const Ranks> compileRanksOn(const std::shared_ptr<RemoteHost>& host, const Options& options,
                                            std::size_t count, const Progress& progress, const RankSource& source);

}  // namespace aotscope
