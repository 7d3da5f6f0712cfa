#pragma once

#include "ir/graph.h"

#include <map>
#include <memory>
#include <string>

namespace aotscope {

/// Python prints the subgraphs of an operator such as cond as modules nested in the graph's module, and reads them as
/// attributes before the call. Turns them into arguments of the call; `subgraphs` is by attribute.
void takeSubgraphs(Graph& graph, const std::map<std::string, std::shared_ptr<const Graph>>& subgraphs);

}  // namespace aotscope
