#pragma once

#include "compile/fused/groups.h"

namespace aotscope {

/// The node whose memory a tensor is, or of which it is a view.
const Node* memoryOf(const Node& tensor);
/// The nodes that read a tensor's memory, also through views.
std::vector<const Node*> readersOf(const Node& memory);
/// Bytes of a tensor's elements; zero for values that are not tensors.
std::int64_t bytesOf(const Node& value);

/// The most bytes that the values which a graph computes take at once: each is freed after its last use. What the
/// graph is given does not count.
std::int64_t peakBytes(const Graph& graph);
std::int64_t peakBytes(const GroupedGraph& grouped);
/// Of all inputs of the graph.
std::int64_t givenBytes(const Graph& graph);

}  // namespace aotscope
