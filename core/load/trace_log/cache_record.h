#pragma once

#include "record/compile_story.h"

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace aotscope {

/// A record such as "fx_graph_cache_miss", or "dynamo_cache_bypass", whose payload may be a text. Throws
/// nlohmann::json::exception.
CacheEvent readCacheEvent(std::string_view name, std::string_view payload);

/// A line of a part of a cache's key that is another one than in `earlier`.
struct KeyDifference {
    std::string part, earlier, now;
};
/// Why the key of a miss is not the one of the lookup most like it before, of the same function and direction: the
/// first lines that differ of each part. Empty if there was none, or the log does not have the parts of its key.
/// `line`: of the record. Throws Error.
std::vector<KeyDifference> whyMissed(const TraceLog& log, const TracedCompile& compile, std::uint64_t line);

/// `min_cut_information`.
LoggedMinCut readMinCut(const nlohmann::json& data);

}  // namespace aotscope
