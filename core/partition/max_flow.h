#pragma once

#include "record/partition.h"

#include <cstdint>
#include <vector>

namespace aotscope {

/// A directed flow network. Vertices are numbered in insertion order.
class FlowNetwork {
public:
    using Capacity = std::int64_t;
    static constexpr Capacity kInfinite = CutNetwork::kInfinite;

    struct Edge {
        int from = 0, to = 0;
        Capacity capacity = 0;
        Capacity flow = 0;  ///< after maximize()
    };

    int addVertex() { return vertices_++; }
    /// Returns the edge's number.
    int addEdge(int from, int to, Capacity capacity) {
        edges_.push_back({from, to, capacity, 0});
        return static_cast<int>(edges_.size()) - 1;
    }

    /// Pushes a maximum flow from source to sink and returns its value; at least kInfinite if unbounded.
    Capacity maximize(int source, int sink);

    /// After maximize(): for each vertex, whether it can still reach the sink. The edges that enter this set are the
    /// minimum cut nearest to the sink.
    std::vector<bool> sinkSide(int sink) const;

    const std::vector<Edge>& edges() const { return edges_; }
    int vertices() const { return vertices_; }

private:
    bool unbounded(int source, int sink) const;

    int vertices_ = 0;
    std::vector<Edge> edges_;
};

}  // namespace aotscope
