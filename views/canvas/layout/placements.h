#pragma once

#include "canvas/drawn_graph.h"
#include "models/value_placements.h"

namespace aotscope {

/// Writes on every box of a joint graph what `partition` makes of its values and, with `before`, what of it has
/// changed. Sizes and edges stay as they are, so that a layout still holds.
void markPlacements(DrawnGraph& drawn, const Graph& joint, const Partition& partition,
                    const Partition* before = nullptr);

}  // namespace aotscope
