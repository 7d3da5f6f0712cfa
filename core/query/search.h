#pragma once

#include "query/query.h"
#include "record/pass_graphs.h"
#include "support/progress.h"

namespace aotscope {

/// Hits in one graph.
struct SearchGroup {
    PassGraph where;
    std::vector<NodeId> nodes;  ///< in order; nodes in subgraphs are numbered as by subgraphRuns()
};

struct SearchResult {
    std::vector<SearchGroup> groups;  ///< those with hits
    std::size_t hits = 0, searched = 0;
};

/// Searches all graphs of a run, and the operations of their subgraphs. `timing` may be null. Throws Cancelled.
SearchResult search(const CompileRecord& record, const Query& query, const TimingResult* timing,
                    const Progress& progress);

}  // namespace aotscope
