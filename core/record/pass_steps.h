#pragma once

#include "record/graph_difference.h"

namespace aotscope {

/// One change that a pass made.
struct PassStep {
    std::string kind;  ///< "rewrite", "saved", "recomputed", "merged", "added", "removed", "replaced", "changed",
                       ///< "moved"
    std::string text;  ///< "aten.t.default(%w) became %permute, by the rule t"
    GraphKind graph = GraphKind::joint;
    NodeId node = kNoNode;  ///< to select in the graph after the pass; for a removed node, what it was made from
};

/// All changes of a pass, in order: rewrites if it decomposed, the decisions of the partitioner, else the differences
/// to the graph before, node by node. Empty for the first pass.
std::vector<PassStep> stepsOf(const CompileRecord& record, std::size_t pass);

}  // namespace aotscope
