#pragma once

#include "record/history/rank_difference.h"
#include "record/trace_log.h"
#include "support/progress.h"

#include <memory>

namespace aotscope {

/// Of every compilation, in the order of the first log: its code if it is not in all logs, else what differencesOf()
/// finds in its graphs, and where these are alike, the first collective of Inductor's schedule that differs. Graphs
/// whose hashes are equal are not read. Throws Error, Cancelled.
std::vector<RankDifference> compareRankLogs(const std::vector<std::shared_ptr<const TraceLog>>& logs,
                                            const Progress& progress);

}  // namespace aotscope
