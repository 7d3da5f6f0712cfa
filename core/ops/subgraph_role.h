#pragma once

#include "ir/subgraphs.h"

#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// The role of subgraph `number` of an operator, by Python's name for the argument: "true_fn" for the first one of
/// "higher_order.cond"; empty if unknown.
std::string_view subgraphRole(std::string_view op, std::size_t number);

/// The operand behind each placeholder of a subgraph, of which a step of a loop or scan may get another value or a
/// part; null if it is not a node. Empty if the operands do not match the placeholders.
std::vector<const Node*> subgraphOperands(const SubgraphRun& run);

/// The displayed title: "true_fn: true_graph_0".
std::string subgraphTitle(const SubgraphRun& run);

}  // namespace aotscope
