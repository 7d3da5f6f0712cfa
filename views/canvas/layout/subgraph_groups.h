#pragma once

#include "canvas/layout/groups.h"

namespace aotscope {

/// Adds to the modules of `graph` a group for every operator whose subgraphs are in the picture, with a group for each
/// subgraph, and in it their modules.
void addSubgraphGroups(DrawnGraph& graph, GroupTree& tree);

}  // namespace aotscope
