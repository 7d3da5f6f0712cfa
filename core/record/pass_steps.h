#pragma once

#include "record/graph_difference.h"

namespace aotscope {

/// One change made by a pass.
struct PassStep {
    std::string kind;  ///< "rewrite", "saved", "recomputed", "merged", "added", "removed", "replaced", "changed",
                       ///< "moved"
    std::string text;  ///< "aten.t.default(%w) became %permute, by the rule t"
    GraphKind graph = GraphKind::joint;
    NodeId node = kNoNode;  ///< to select in the graph after the pass; for a removed node, what it was computed from
};

/// All changes of a pass, in order: rewrites if it decomposed, decisions if it partitioned, otherwise the differences
/// from the previous graph, node by node. Empty for the first pass.
std::vector<PassStep> stepsOf(const CompileRecord& record, std::size_t pass);

}  // namespace aotscope
