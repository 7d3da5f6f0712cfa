#pragma once

#include "canvas/drawn_graph.h"

namespace aotscope {

/// Adds the boxes of the subgraphs that operators of `graph` run (cond, while_loop, scan), and of nested ones, to the
/// picture of `graph`. Their ids are those of subgraphRuns(). They take the half and the place of the operator.
void addSubgraphs(DrawnGraph& drawn, const Graph& graph);

}  // namespace aotscope
