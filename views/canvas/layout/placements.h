#pragma once

#include "canvas/drawn_graph.h"
#include "models/value_placements.h"

namespace aotscope {

/// Marks every box of a joint graph with the placement of its values by `partition` and, with `before`, with what has
/// changed. Sizes and edges stay the same, so that a layout remains valid.
void markPlacements(DrawnGraph& drawn, const Graph& joint, const Partition& partition,
                    const Partition* before = nullptr);

}  // namespace aotscope
