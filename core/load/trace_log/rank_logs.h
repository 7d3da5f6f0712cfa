#pragma once

#include "record/rank_difference.h"
#include "record/trace_log.h"
#include "support/progress.h"

#include <memory>

namespace aotscope {

/// The logs in a folder that TORCH_TRACE wrote into, or the file itself; by rank, then by name. Throws Error if there
/// is none.
std::vector<std::filesystem::path> traceLogsAt(const std::filesystem::path& place);

/// 3 for "dedicated_log_torch_trace_rank_3_x.log".
std::optional<int> rankInName(const std::filesystem::path& path);
/// The rank of a log: as its records say, or its name. Empty: neither does.
std::optional<int> rankOf(const TraceLog& log);
/// Whether every log is of another rank.
bool areRanks(const std::vector<std::shared_ptr<const TraceLog>>& logs);
/// "rank 0", or the name of the file.
std::vector<std::string> logNames(const std::vector<std::shared_ptr<const TraceLog>>& logs);

/// Of every compilation the first node that differs, also in its sizes or numbers only, of every backward the saved
/// values, and the first collective that is not the same; in the order of the first log. Throws Error, Cancelled.
std::vector<RankDifference> compareRanks(const std::vector<std::shared_ptr<const TraceLog>>& logs,
                                         const Progress& progress);

}  // namespace aotscope
