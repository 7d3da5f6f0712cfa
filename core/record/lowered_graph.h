#pragma once

#include "ir/graph.h"
#include "ir/rewrite.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace aotscope {

/// A graph on a lower level, with the mapping to the graph above.
struct LoweredGraph {
    std::shared_ptr<const Graph> graph;
    std::map<NodeId, std::vector<NodeId>> became;  ///< by node of the graph above; empty: folded
    std::map<NodeId, NodeId> origin;               ///< the inverse
    std::vector<Rewrite> rewrites;
};

struct IrLevel {
    std::string name;      ///< "ATen", "core ATen", "prims"
    LoweredGraph lowered;  ///< the first level is the graph itself, mapped to itself
};

}  // namespace aotscope
