#pragma once

#include <utility>
#include <vector>

namespace aotscope {

/// A tree given by the parents of its nodes, 0 the root, and members in these nodes.
struct Grouping {
    std::vector<int> parent;  ///< of each tree node; the root's is -1
    std::vector<int> home;    ///< the tree node of each member
    std::vector<bool> given;  ///< members available from the start: inputs
};

/// The members in an order that keeps those of a tree node together as far as `edges` (from, to; from < to) allow.
/// Their own order, 0 to n, satisfies the edges. Values computed from parameters alone, such as a weight's transpose,
/// precede their first user in its tree node, wherever the program computes them.
std::vector<int> keepTogether(const Grouping& grouping, const std::vector<std::pair<int, int>>& edges);

}  // namespace aotscope
