#pragma once

#include "ir/node_attributes.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace aotscope {

/// An operation replaced by a decomposition. Rewrites nest: the operations of a rule may be decomposed, too.
struct Rewrite {
    std::string op;               ///< "aten.gelu_backward.default"
    std::string rule;             ///< "gelu_backward"
    std::string before;           ///< the call as the graph would show it: "aten.gelu_backward.default(%a, %b)"
    std::vector<NodeId> inputs;   ///< its operands
    std::vector<NodeId> nodes;    ///< its replacement, in order; includes nodes of nested rewrites
    std::vector<NodeId> results;  ///< the nodes that now hold its results
    int parent = -1;              ///< index of the rewrite whose rule contains this call; -1: a call of the program
};

/// How often each rule replaced each operation: ("aten.t.default", "t") -> 14.
std::map<std::pair<std::string, std::string>, int> countRewrites(const std::vector<Rewrite>& rewrites);

}  // namespace aotscope
