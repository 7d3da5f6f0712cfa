#pragma once

#include "ir/subgraphs.h"

#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// What subgraph `number` of an operator is for, as Python names the argument: "true_fn" for the first one of
/// "higher_order.cond"; empty where that is not known.
std::string_view subgraphRole(std::string_view op, std::size_t number);

/// What each placeholder of a subgraph gets a value of: the operand, of which a step of a loop or scan may get another
/// value or a part; null for what is no node. Empty where the operands do not fit the placeholders.
std::vector<const Node*> subgraphOperands(const SubgraphRun& run);

/// What a person reads on it: "true_fn: true_graph_0".
std::string subgraphTitle(const SubgraphRun& run);

}  // namespace aotscope
