#include "partition/max_flow.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>

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

}  // namespace

/// Whether a path of infinite edges leads from source to sink.
bool FlowNetwork::unbounded(int source, int sink) const {
    std::vector<std::vector<int>> next(static_cast<std::size_t>(vertices_));
    for (const Edge& edge : edges_)
        if (edge.capacity >= kInfinite) next[static_cast<std::size_t>(edge.from)].push_back(edge.to);
    std::vector<bool> seen(static_cast<std::size_t>(vertices_), false);
    std::vector<int> pending{source};
    while (!pending.empty()) {
        const int vertex = pending.back();
        pending.pop_back();
        if (vertex == sink) return true;
        if (seen[static_cast<std::size_t>(vertex)]) continue;
        seen[static_cast<std::size_t>(vertex)] = true;
        for (int n : next[static_cast<std::size_t>(vertex)]) pending.push_back(n);
    }
    return false;
}

Capacity FlowNetwork::maximize(int source, int sink) {
    if (unbounded(source, sink)) return kInfinite;  // the sum over several such paths would not fit
    BoostGraph graph(static_cast<std::size_t>(vertices_));
    auto capacity = boost::get(boost::edge_capacity, graph);
    auto reverse = boost::get(boost::edge_reverse, graph);
    std::vector<Traits::edge_descriptor> forward;
    forward.reserve(edges_.size());
    for (const Edge& edge : edges_) {
        const auto there =
            boost::add_edge(static_cast<std::size_t>(edge.from), static_cast<std::size_t>(edge.to), graph).first;
        const auto back =
            boost::add_edge(static_cast<std::size_t>(edge.to), static_cast<std::size_t>(edge.from), graph).first;
        capacity[there] = edge.capacity;
        capacity[back] = 0;
        reverse[there] = back;
        reverse[back] = there;
        forward.push_back(there);
    }
    const Capacity value =
        boost::boykov_kolmogorov_max_flow(graph, static_cast<std::size_t>(source), static_cast<std::size_t>(sink));
    const auto residual = boost::get(boost::edge_residual_capacity, graph);
    for (std::size_t i = 0; i < edges_.size(); ++i) edges_[i].flow = edges_[i].capacity - residual[forward[i]];
    return value;
}

std::vector<bool> FlowNetwork::sinkSide(int sink) const {
    std::vector<std::vector<int>> sources(static_cast<std::size_t>(vertices_));  // of residual edges into a vertex
    for (const Edge& edge : edges_) {
        if (edge.flow < edge.capacity) sources[static_cast<std::size_t>(edge.to)].push_back(edge.from);
        if (edge.flow > 0) sources[static_cast<std::size_t>(edge.from)].push_back(edge.to);
    }
    std::vector<bool> reaches(static_cast<std::size_t>(vertices_), false);
    std::vector<int> pending{sink};
    reaches[static_cast<std::size_t>(sink)] = true;
    while (!pending.empty()) {
        const auto vertex = static_cast<std::size_t>(pending.back());
        pending.pop_back();
        for (int from : sources[vertex]) {
            if (reaches[static_cast<std::size_t>(from)]) continue;
            reaches[static_cast<std::size_t>(from)] = true;
            pending.push_back(from);
        }
    }
    return reaches;
}

}  // namespace aotscope
