#pragma once

#include "ir/graph.h"

#include <vector>

namespace aotscope {

constexpr int kAnyDepth = -1;

/// What `node` is computed from, at most so many steps away; without the node itself, nearest first.
std::vector<NodeId> inputsOf(const Node& node, int depth);
/// What is computed from `node`.
std::vector<NodeId> usersOf(const Node& node, int depth);
/// Everything on a path from one of the two to the other, both included; empty if there is none.
std::vector<NodeId> pathsBetween(const Node& a, const Node& b);

}  // namespace aotscope
