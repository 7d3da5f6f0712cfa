#include "partition/cut_network.h"

#include "partition/max_flow.h"

#include <algorithm>
#include <queue>

namespace aotscope {

namespace {

using EdgeKind = CutNetwork::EdgeKind;

/// The number of each vertex in a smaller network with the same cuts: the backward's operations join the sink.
std::vector<int> contracted(const CutNetwork& network, FlowNetwork& smaller) {
    std::vector<int> numbers(network.vertices.size(), -1);
    const int source = smaller.addVertex(), sink = smaller.addVertex();
    numbers[CutNetwork::kSource] = source;
    numbers[CutNetwork::kSink] = sink;
    for (const auto& edge : network.edges)
        if (edge.kind == EdgeKind::inBackward || edge.kind == EdgeKind::mustRecompute) numbers[edge.from] = sink;
    for (const auto& edge : network.edges)
        for (const int end : {edge.from, edge.to})
            if (numbers[end] < 0) numbers[end] = smaller.addVertex();
    return numbers;
}

}  // namespace

std::vector<int> unboundedPath(const CutNetwork& network) {
    std::vector<std::vector<int>> next(network.vertices.size());
    for (const auto& edge : network.edges)
        if (edge.capacity >= CutNetwork::kInfinite) next[edge.from].push_back(edge.to);
    std::vector<int> from(network.vertices.size(), -1);
    std::queue<int> pending;
    pending.push(CutNetwork::kSource);
    from[CutNetwork::kSource] = CutNetwork::kSource;
    while (!pending.empty()) {
        const int vertex = pending.front();
        pending.pop();
        for (const int n : next[vertex])
            if (from[n] < 0) {
                from[n] = vertex;
                pending.push(n);
            }
    }
    std::vector<int> path;
    if (from[CutNetwork::kSink] < 0) return path;
    for (int v = CutNetwork::kSink; v != CutNetwork::kSource; v = from[v]) path.push_back(v);
    path.push_back(CutNetwork::kSource);
    std::reverse(path.begin(), path.end());
    return path;
}

void findMinimumCut(CutNetwork& network) {
    FlowNetwork smaller;
    const std::vector<int> numbers = contracted(network, smaller);
    std::vector<int> edges;
    for (const auto& edge : network.edges) {
        const int from = numbers[edge.from], to = numbers[edge.to];
        edges.push_back(from == to ? -1 : smaller.addEdge(from, to, edge.capacity));
    }
    network.flow = smaller.maximize(CutNetwork::kSource, CutNetwork::kSink);
    const std::vector<bool> side = smaller.sinkSide(CutNetwork::kSink);
    std::vector<std::int64_t> arriving(network.vertices.size());
    for (std::size_t i = 0; i < edges.size(); ++i) {
        if (edges[i] < 0) continue;
        network.edges[i].flow = smaller.edges()[edges[i]].flow;
        arriving[network.edges[i].to] += network.edges[i].flow;
    }
    for (std::size_t i = 0; i < edges.size(); ++i)
        if (edges[i] < 0) network.edges[i].flow = arriving[network.edges[i].from];
    for (std::size_t v = 0; v < numbers.size(); ++v) network.vertices[v].sinkSide = numbers[v] >= 0 && side[numbers[v]];
}

}  // namespace aotscope
