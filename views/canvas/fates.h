#pragma once

#include "canvas/drawn_graph.h"

namespace aotscope {

/// Writes on every box of a joint graph what `partition` makes of its values and, with `before`, what of it has
/// changed. Sizes and edges stay as they are, so that a layout still holds.
void markFates(DrawnGraph& drawn, const Graph& joint, const Partition& partition, const Partition* before = nullptr);

/// What becomes of every value of `joint`: as the partition's decisions say it, or from its lists where it has none.
std::unordered_map<NodeId, ValueDecision::Fate> fatesOf(const Graph& joint, const Partition& partition);

/// "saved", "recomputed", "forward only", "backward only".
QString describe(ValueDecision::Fate fate);

}  // namespace aotscope
