#pragma once

#include "ir/graph.h"

#include <unordered_map>

namespace aotscope {

/// Maps nodes of a graph to that of another run of the same model, where ids and names may differ.
class RunMap {
public:
    /// `before` must outlive this.
    RunMap(const Graph& before, const Graph& after);

    /// The node with the same content, otherwise with the same name; for a removed node, the nearest relative: the
    /// forward operation that it differentiates, then its operands and users. kNoNode without any.
    NodeId of(NodeId node) const;

private:
    const Graph& before_;
    std::unordered_map<NodeId, NodeId> twins_;
};

}  // namespace aotscope
