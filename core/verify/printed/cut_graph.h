#pragma once

#include "ir/graph.h"

#include <memory>
#include <unordered_set>
#include <vector>

namespace aotscope {

using NodeIds = std::unordered_set<NodeId>;

/// A graph that returns these values of `graph`, with the nodes in `given` replaced by inputs, and without unneeded
/// nodes. All nodes keep their ids. A tuple is given by its elements.
std::unique_ptr<Graph> cutGraph(const Graph& graph, const NodeIds& given, const std::vector<const Node*>& outputs);

/// The values that `graph` returns, each once.
std::vector<const Node*> returnedNodes(const Graph& graph);

/// The calls of `graph`, in order.
std::vector<const Node*> callsOf(const Graph& graph);

/// The values of the first `count` calls that the other calls, or the graph's outputs, use.
std::vector<const Node*> frontierOf(const Graph& graph, std::size_t count);

/// Whether a value can be an input or output of a graph: a tensor or a number.
bool isOneValue(const Node& node);

}  // namespace aotscope
