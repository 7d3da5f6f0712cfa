#pragma once

#include "record/trace_log.h"

#include <memory>

namespace aotscope {

/// The logs in a folder that TORCH_TRACE wrote into, or the file itself; by rank, then by name. Throws Error without
/// logs.
std::vector<std::filesystem::path> traceLogsAt(const std::filesystem::path& place);
/// The same; empty for anything else.
std::vector<std::filesystem::path> anyTraceLogsAt(const std::filesystem::path& place);

/// 3 for "dedicated_log_torch_trace_rank_3_x.log".
std::optional<int> rankInName(const std::filesystem::path& path);
/// The rank of a log according to its records, or its name; nothing if unknown.
std::optional<int> rankOf(const TraceLog& log);
/// Whether all logs have different ranks.
bool areRanks(const std::vector<std::shared_ptr<const TraceLog>>& logs);
/// The logs of a folder that are ranks of one run.
struct RankLogs {
    std::vector<std::shared_ptr<const TraceLog>> logs;  ///< by rank
    std::string leftOut;                                ///< "left out: old.log (another log of rank 0)"; empty: none
};
/// One log of every rank: `open`, and others that compiled the same code; among several of one rank, the one written
/// closest in time. If `open` is null, it is the first rank's log that shares most code with others, or the newest of
/// these. All logs if none gives its rank.
RankLogs ranksAmong(const std::vector<std::shared_ptr<const TraceLog>>& logs,
                    std::shared_ptr<const TraceLog> open = nullptr);
/// "rank 0", or the file name.
std::vector<std::string> logNames(const std::vector<std::shared_ptr<const TraceLog>>& logs);

}  // namespace aotscope
