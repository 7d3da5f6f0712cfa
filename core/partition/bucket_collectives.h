#pragma once

#include "ir/graph.h"

namespace aotscope {

/// Merges several all-gathers, reduce-scatters or all-reduces of the same group, dtype and reduction into one coalesced
/// collective, as long as none needs another's result and their data is at most `bytes`. New nodes get ids from
/// `nextId` on. Returns the number of merged collectives.
std::size_t bucketCollectives(Graph& graph, std::int64_t bytes, NodeId& nextId);

}  // namespace aotscope
