#pragma once

#include "ir/graph.h"

#include <cstdint>
#include <functional>

namespace aotscope {

/// Bytes at the peak of one run of a graph: what it returns counts, what it is called with does not.
using PeakOf = std::function<std::int64_t(const Graph&)>;

/// Bytes that `node` has allocated at its peak while it runs its subgraphs, beyond its operands and its own results.
/// Of the branches of a cond the larger one counts. Operators that stack the results of their steps keep those of all
/// steps until then; what a while_loop carries is there beside what its body computes. 0 for a node without subgraphs.
std::int64_t subgraphWorkspace(const Node& node, const PeakOf& peakOf);

}  // namespace aotscope
