#pragma once

#include "ir/graph.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace aotscope {

/// One operation that a decomposition has replaced. Rewrites nest: what a rule calls may be decomposed in turn.
struct Rewrite {
    std::string op;               ///< "aten.gelu_backward.default"
    std::string rule;             ///< "gelu_backward"
    std::string before;           ///< the call as it would stand in the graph: "aten.gelu_backward.default(%a, %b)"
    std::vector<NodeId> inputs;   ///< nodes that it takes
    std::vector<NodeId> nodes;    ///< what it became, in order; those of nested rewrites included
    std::vector<NodeId> results;  ///< the nodes that stand for its results now
    int parent = -1;              ///< index of the rewrite whose rule made this call; -1: the program made it
};

/// How often each rule replaced each operation: ("aten.t.default", "t") -> 14.
std::map<std::pair<std::string, std::string>, int> countRewrites(const std::vector<Rewrite>& rewrites);

}  // namespace aotscope
