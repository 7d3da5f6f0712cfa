#pragma once

#include "ir/graph.h"

#include <string>
#include <vector>

namespace aotscope {

/// The values that an operation mutates; empty if it mutates none.
std::vector<const Node*> writtenValues(const Node& node);
bool writesInto(const Node& node, const Node& value);

/// The mutations in a functional graph outside of its epilogue, one sentence each, naming the node. The epilogue writes
/// to inputs of the graph, and nothing reads them afterwards. Counterpart: assert_functional_graph in
/// torch/_functorch/_aot_autograd/functional_utils.py.
std::vector<std::string> mutationsBesideEpilogue(const Graph& graph);

}  // namespace aotscope
