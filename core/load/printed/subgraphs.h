#pragma once

#include "ir/graph.h"

#include <map>
#include <memory>
#include <string>

namespace aotscope {

/// Python prints the graphs that an operator such as cond runs as modules within the module of the graph, and reads
/// them as attributes in front of the call. Here they become arguments of the call: `subgraphs` has them by attribute.
void takeSubgraphs(Graph& graph, const std::map<std::string, std::shared_ptr<const Graph>>& subgraphs);

}  // namespace aotscope
