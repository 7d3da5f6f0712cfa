#pragma once

#include "ir/graph.h"

namespace aotscope {

/// Makes one coalesced collective of several all-gathers, reduce-scatters or all-reduces of the same group, dtype and
/// reduction, as long as none needs another's result and their data is at most `bytes`. New nodes get ids from `nextId`
/// on. Returns how many collectives became part of a bucket.
std::size_t bucketCollectives(Graph& graph, std::int64_t bytes, NodeId& nextId);

}  // namespace aotscope
