#pragma once

#include "record/partition.h"

#include <cstdint>
#include <memory>
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

    FlowNetwork();
    ~FlowNetwork();
    FlowNetwork(const FlowNetwork&) = delete;
    FlowNetwork& operator=(const FlowNetwork&) = delete;

    int addVertex() { return vertices_++; }
    /// Returns the edge's number.
    int addEdge(int from, int to, Capacity capacity) {
        edges_.push_back({from, to, capacity, 0});
        return static_cast<int>(edges_.size()) - 1;
    }
    void setCapacity(int edge, Capacity capacity) { edges_[static_cast<std::size_t>(edge)].capacity = capacity; }

    /// Pushes a maximum flow from source to sink and returns its value; at least kInfinite if unbounded. Again with
    /// other capacities, it takes less time.
    Capacity maximize(int source, int sink);

    /// After maximize(): for each vertex, whether it can still reach the sink. The edges that enter this set are the
    /// minimum cut nearest to the sink.
    std::vector<bool> sinkSide(int sink) const;

    const std::vector<Edge>& edges() const { return edges_; }
    int vertices() const { return vertices_; }

private:
    bool unbounded(int source, int sink) const;

    struct Prepared;

    int vertices_ = 0;
    std::vector<Edge> edges_;
    std::unique_ptr<Prepared> prepared_;  ///< for these edges; null, or of fewer edges: not yet
};

}  // namespace aotscope
