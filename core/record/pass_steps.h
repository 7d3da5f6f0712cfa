#pragma once

#include "record/graph_difference.h"

namespace aotscope {

/// One thing that a pass has done.
struct PassStep {
    std::string kind;  ///< "rewrite", "saved", "recomputed", "merged", "added", "removed", "changed", "moved"
    std::string text;  ///< "aten.t.default(%w) became %permute, by the rule t"
    GraphKind graph = GraphKind::joint;
    NodeId node = kNoNode;  ///< to show in the graph after the pass; of a node that is gone, what it was made from
};

/// Everything that a pass has done, in order: rewrites where it has decomposed, what the partitioner has decided, else
/// node by node what distinguishes its graph from the one before. Empty for the first.
std::vector<PassStep> stepsOf(const CompileRecord& record, std::size_t pass);

}  // namespace aotscope
