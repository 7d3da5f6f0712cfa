#pragma once

#include "load/trace_log/rank_logs.h"
#include "record/compile_story.h"

#include <nlohmann/json_fwd.hpp>

namespace aotscope {

/// A trace with everything that is known of its compilations. `stories`: parallel to them.
nlohmann::json traceLogJson(const TraceLog& log, const std::vector<CompileStory>& stories);

/// A list of {"kind", "compile", "graph", "node", "each"}: texts by the names of the logs.
nlohmann::json rankDifferencesJson(const std::vector<RankDifference>& differences,
                                   const std::vector<std::string>& ranks);

}  // namespace aotscope
