#include "partition/max_flow.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>

#include <numeric>

namespace aotscope {

namespace {

using Capacity = FlowNetwork::Capacity;
using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using VertexProperties = boost::property<
    boost::vertex_index_t, long,
    boost::property<boost::vertex_color_t, boost::default_color_type,
                    boost::property<boost::vertex_distance_t, long,
                                    boost::property<boost::vertex_predecessor_t, Traits::edge_descriptor>>>>;
using EdgeProperties =
    boost::property<boost::edge_capacity_t, Capacity,
                    boost::property<boost::edge_residual_capacity_t, Capacity,
                                    boost::property<boost::edge_reverse_t, Traits::edge_descriptor>>>;
using BoostGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, VertexProperties, EdgeProperties>;

/// Arcs between vertices, by start vertex.
class Arcs {
public:
    /// `forEach(visit)` must call visit(from, to) for the same arcs each time.
    template <typename ForEach>
    Arcs(int vertices, const ForEach& forEach) : first_(static_cast<std::size_t>(vertices) + 1) {
        forEach([&](int from, int) { ++first_[static_cast<std::size_t>(from) + 1]; });
        std::partial_sum(first_.begin(), first_.end(), first_.begin());
        ends_.resize(first_.back());
        std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
        forEach([&](int from, int to) { ends_[next[static_cast<std::size_t>(from)]++] = to; });
    }

    /// The vertices reachable from `start`, itself included.
    std::vector<bool> reachable(int start) const {
        std::vector<bool> seen(first_.size() - 1);
        std::vector<int> pending{start};
        seen[static_cast<std::size_t>(start)] = true;
        while (!pending.empty()) {
            const auto vertex = static_cast<std::size_t>(pending.back());
            pending.pop_back();
            for (std::size_t i = first_[vertex]; i < first_[vertex + 1]; ++i) {
                if (seen[static_cast<std::size_t>(ends_[i])]) continue;
                seen[static_cast<std::size_t>(ends_[i])] = true;
                pending.push_back(ends_[i]);
            }
        }
        return seen;
    }

private:
    std::vector<std::size_t> first_;  ///< of the arcs of a vertex
    std::vector<int> ends_;
};

}  // namespace

/// Whether a path of infinite edges leads from source to sink.
bool FlowNetwork::unbounded(int source, int sink) const {
    const Arcs infinite(vertices_, [&](const auto& visit) {
        for (const Edge& edge : edges_)
            if (edge.capacity >= kInfinite) visit(edge.from, edge.to);
    });
    return infinite.reachable(source)[static_cast<std::size_t>(sink)];
}

/// The network as Boost has it.
struct FlowNetwork::Prepared {
    Prepared(int vertices, const std::vector<Edge>& edges) : graph(static_cast<std::size_t>(vertices)) {
        auto reverse = boost::get(boost::edge_reverse, graph);
        auto capacity = boost::get(boost::edge_capacity, graph);
        forward.reserve(edges.size());
        for (const Edge& edge : edges) {
            const auto from = static_cast<std::size_t>(edge.from), to = static_cast<std::size_t>(edge.to);
            const auto there = boost::add_edge(from, to, graph).first, back = boost::add_edge(to, from, graph).first;
            capacity[back] = 0;
            reverse[there] = back;
            reverse[back] = there;
            forward.push_back(there);
        }
    }

    BoostGraph graph;
    std::vector<Traits::edge_descriptor> forward;
};

FlowNetwork::FlowNetwork() = default;
FlowNetwork::~FlowNetwork() = default;

Capacity FlowNetwork::maximize(int source, int sink) {
    if (unbounded(source, sink)) return kInfinite;  // the sum over several such paths would overflow
    const bool known = prepared_ && prepared_->forward.size() == edges_.size() &&
                       boost::num_vertices(prepared_->graph) == static_cast<std::size_t>(vertices_);
    if (!known) prepared_ = std::make_unique<Prepared>(vertices_, edges_);
    auto& [graph, forward] = *prepared_;
    const auto capacity = boost::get(boost::edge_capacity, graph);
    for (std::size_t i = 0; i < edges_.size(); ++i) capacity[forward[i]] = edges_[i].capacity;
    const Capacity value =
        boost::boykov_kolmogorov_max_flow(graph, static_cast<std::size_t>(source), static_cast<std::size_t>(sink));
    const auto residual = boost::get(boost::edge_residual_capacity, graph);
    for (std::size_t i = 0; i < edges_.size(); ++i) edges_[i].flow = edges_[i].capacity - residual[forward[i]];
    return value;
}

std::vector<bool> FlowNetwork::sinkSide(int sink) const {
    const Arcs residualBackwards(vertices_, [&](const auto& visit) {
        for (const Edge& edge : edges_) {
            if (edge.flow < edge.capacity) visit(edge.to, edge.from);
            if (edge.flow > 0) visit(edge.from, edge.to);
        }
    });
    return residualBackwards.reachable(sink);
}

}  // namespace aotscope
