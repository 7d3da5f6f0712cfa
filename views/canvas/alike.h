#pragma once

#include "canvas/layout/groups.h"

namespace aotscope {

/// Removes from the lines of every box what the group around it says: in "blocks.3", "c_attn" for "blocks.3.c_attn".
void shortenLabels(DrawnGraph& graph, const GroupTree& tree);

/// Finds the groups that have the same structure, and gives the boxes at the same place in them the same size.
void findAlike(DrawnGraph& graph, GroupTree& tree);

}  // namespace aotscope
