#pragma once

#include "ir/graph.h"

#include <cstdint>
#include <functional>

namespace aotscope {

/// Bytes at the peak of one run of a graph, including its results and excluding its arguments.
using PeakOf = std::function<std::int64_t(const Graph&)>;

/// Peak bytes that `node` allocates while it runs its subgraphs, beyond its operands and its own results. A cond counts
/// its larger branch. Operators that stack the results of their steps keep all of them until then; a while_loop holds
/// its carried values while its body computes new ones. 0 for a node without subgraphs.
std::int64_t subgraphWorkspace(const Node& node, const PeakOf& peakOf);

}  // namespace aotscope
