#pragma once

#include "record/history/rank_difference.h"
#include "record/trace_log.h"
#include "support/progress.h"

#include <memory>

namespace aotscope {

/// For every compilation, in the order of the first log: its code if it is not in all logs, otherwise the
/// differencesOf() its graphs or, if there are none, the first difference in Inductor's collective schedule. Graphs
/// with equal hashes are not read. Throws Error, Cancelled.
std::vector<RankDifference> compareRankLogs(const std::vector<std::shared_ptr<const TraceLog>>& logs,
                                            const Progress& progress);

}  // namespace aotscope
