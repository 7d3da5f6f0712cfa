#pragma once

#include "ir/subgraphs.h"

#include <string>
#include <string_view>

namespace aotscope {

/// What subgraph `number` of an operator is for, as Python names the argument: "true_fn" for the first one of
/// "higher_order.cond"; empty where that is not known.
std::string_view subgraphRole(std::string_view op, std::size_t number);

/// What a person reads on it: "true_fn: true_graph_0".
std::string subgraphTitle(const SubgraphRun& run);

}  // namespace aotscope
