#pragma once

#include "record/compile_story.h"

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace aotscope {

/// A record such as "fx_graph_cache_miss", or "dynamo_cache_bypass", whose payload may be text. Throws
/// nlohmann::json::exception.
CacheEvent readCacheEvent(std::string_view name, std::string_view payload);

/// A line in a part of a cache key that differs from `earlier`.
struct KeyDifference {
    std::string part, earlier, now;
};
/// How the key of a miss differs from the most similar earlier lookup of the same function and direction: the first
/// differing lines of each part. Empty without such a lookup, or if the log lacks the parts of its key. `line`: of the
/// record. Throws Error.
std::vector<KeyDifference> whyMissed(const TraceLog& log, const TracedCompile& compile, std::uint64_t line);

/// `min_cut_information`.
LoggedMinCut readMinCut(const nlohmann::json& data);

}  // namespace aotscope
