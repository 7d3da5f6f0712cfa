#pragma once

#include "record/trace_log.h"

#include <memory>

namespace aotscope {

/// The logs in a folder that TORCH_TRACE wrote into, or the file itself; by rank, then by name. Throws Error if there
/// is none.
std::vector<std::filesystem::path> traceLogsAt(const std::filesystem::path& place);
/// The same; empty if it is something else.
std::vector<std::filesystem::path> anyTraceLogsAt(const std::filesystem::path& place);

/// 3 for "dedicated_log_torch_trace_rank_3_x.log".
std::optional<int> rankInName(const std::filesystem::path& path);
/// The rank of a log: as its records say, or its name. Empty: neither does.
std::optional<int> rankOf(const TraceLog& log);
/// Whether every log is of another rank.
bool areRanks(const std::vector<std::shared_ptr<const TraceLog>>& logs);
/// The logs of a folder that are ranks of one run.
struct RankLogs {
    std::vector<std::shared_ptr<const TraceLog>> logs;  ///< by rank
    std::string leftOut;  ///< "left out: old.log (another log of rank 0)"; empty: no log was
};
/// One log of every rank: `open`, and of the others those that compiled code of the same places; of several of one rank
/// the one written closest in time. Null: `open` is the log of the first rank that has most in common with others, or
/// the newest of these. All logs if none says its rank.
RankLogs ranksAmong(const std::vector<std::shared_ptr<const TraceLog>>& logs,
                    std::shared_ptr<const TraceLog> open = nullptr);
/// "rank 0", or the name of the file.
std::vector<std::string> logNames(const std::vector<std::shared_ptr<const TraceLog>>& logs);

}  // namespace aotscope
