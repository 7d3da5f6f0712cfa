#pragma once

#include "canvas/drawn_graph.h"

namespace aotscope {

/// The flow network of a minimum cut as a picture: one box for each value, for its "in", its "out" and the edge between
/// them, whose capacity is the cost of saving it. Source and sink are drawn where edges lead to them. A large network
/// is shown around `centre`, or around the largest saved values of the cut if it is not in it; then `note` says so.
/// `partition` has a network.
DrawnGraph drawNetwork(const Graph& joint, const Partition& partition, NodeId centre);

}  // namespace aotscope
