#pragma once

#include "ir/graph.h"

#include <vector>

namespace aotscope {

constexpr int kAnyDepth = -1;

/// Inputs of `node`, direct and indirect, at most so many steps away; without the node itself, nearest first.
std::vector<NodeId> inputsOf(const Node& node, int depth);
/// Users of `node`, likewise.
std::vector<NodeId> usersOf(const Node& node, int depth);
/// Everything on a path from one of the two to the other, including both; empty if there is no path.
std::vector<NodeId> pathsBetween(const Node& a, const Node& b);

}  // namespace aotscope
