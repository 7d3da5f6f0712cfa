#pragma once

#include "ir/subgraphs.h"

#include <string>
#include <vector>

namespace aotscope {

/// The operand behind each placeholder of a subgraph, of which a step of a loop or scan may get another value or a
/// part; null if it is not a node. Empty if the operands do not match the placeholders.
std::vector<const Node*> subgraphOperands(const SubgraphRun& run);

/// The displayed title: "true_fn: true_graph_0".
std::string subgraphTitle(const SubgraphRun& run);

}  // namespace aotscope
