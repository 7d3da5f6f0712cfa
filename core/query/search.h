#pragma once

#include "query/query.h"
#include "record/pass_graphs.h"
#include "support/progress.h"

namespace aotscope {

/// Hits in one graph.
struct SearchGroup {
    PassGraph where;
    std::vector<NodeId> nodes;  ///< in order
};

struct SearchResult {
    std::vector<SearchGroup> groups;  ///< those with hits
    std::size_t hits = 0, searched = 0;
};

/// Searches all graphs of a run. A node that runs subgraphs is a hit, too, if an operation in them is. `timing` may be
/// null. Throws Cancelled.
SearchResult search(const CompileRecord& record, const Query& query, const TimingResult* timing,
                    const Progress& progress);

}  // namespace aotscope
