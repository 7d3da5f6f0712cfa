#pragma once

#include "ir/graph.h"

#include <unordered_map>

namespace aotscope {

/// Finds nodes of a graph again in that of another run of the same model, where ids and names may be other ones.
class RunMap {
public:
    /// `before` must outlive this.
    RunMap(const Graph& before, const Graph& after);

    /// The node with the same content, else with the same name; of a node that is gone the nearest relative: the
    /// forward operation that it differentiates, then what it is computed from and what uses it. kNoNode if there is
    /// none.
    NodeId of(NodeId node) const;

private:
    const Graph& before_;
    std::unordered_map<NodeId, NodeId> twins_;
};

}  // namespace aotscope
