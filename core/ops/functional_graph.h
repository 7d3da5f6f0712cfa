#pragma once

#include "ir/graph.h"

#include <string>
#include <vector>

namespace aotscope {

/// The values that an operation writes into; none for an operation that writes nothing.
std::vector<const Node*> writtenValues(const Node& node);
bool writesInto(const Node& node, const Node& value);

/// Every operation of a functional graph that mutates otherwise than the epilogue does, one sentence each, naming the
/// node. The epilogue writes into inputs of the graph, and nothing reads them afterwards. Peer: assert_functional_graph
/// in torch/_functorch/_aot_autograd/functional_utils.py.
std::vector<std::string> mutationsBesideEpilogue(const Graph& graph);

}  // namespace aotscope
