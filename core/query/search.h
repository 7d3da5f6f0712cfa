#pragma once

#include "query/query.h"
#include "support/progress.h"

namespace aotscope {

/// A graph of a run, and the pass that left it.
struct PassGraph {
    std::size_t pass = 0;  ///< index in the record
    GraphKind kind = GraphKind::joint;
    std::shared_ptr<const Graph> graph;
};

/// All graphs of a run in the order in which they came to be; what a pass left as it was is there once. Printed
/// graphs that no pass has made come last.
std::vector<PassGraph> graphsOf(const CompileRecord& record);

/// Hits in one graph.
struct SearchGroup {
    PassGraph where;
    std::vector<NodeId> nodes;  ///< in order
};

struct SearchResult {
    std::vector<SearchGroup> groups;  ///< those with hits
    std::size_t hits = 0, searched = 0;
};

/// Looks through all graphs of a run. `timing` may be null. Throws Cancelled.
SearchResult search(const CompileRecord& record, const Query& query, const TimingResult* timing,
                    const Progress& progress);

}  // namespace aotscope
