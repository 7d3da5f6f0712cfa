#include "partition/order/order_for_memory.h"

#include "cost/live_memory.h"
#include "partition/order/graph_problem.h"
#include "partition/order/order_bound.h"
#include "partition/order/order_search.h"
#include "partition/order/order_simulator.h"
#include "partition/plan/peak_planner.h"
#include "support/formatted.h"
#include "support/names.h"

#include <algorithm>
#include <utility>

namespace aotscope {

namespace {

/// Peaks that are lower by less than one part in so many are not worth a move.
constexpr std::int64_t kNotable = 1000;

LiveMemory memoryOf(const std::shared_ptr<const Graph>& forward, const std::shared_ptr<const Graph>& backward,
                    const FunctionMetadata& metadata, const OperatorCosts& costs) {
    if (!backward) return liveMemory(*forward, metadata, costs);
    Partition partition;
    partition.forward = forward;
    partition.backward = backward;
    return liveMemory(partition, metadata, costs);
}

/// Live bytes when no operation runs, which no order changes.
std::int64_t bytesBetween(const LiveMemory& memory) {
    const auto point = std::ranges::find(memory.curve, kNoNode, &MemoryPoint::node);
    return point == memory.curve.end() ? 0 : point->bytes;
}

/// One of the graphs.
struct HalfToOrder {
    GraphProblem graph;
    std::int64_t peak = 0, bound = 0;  ///< as it is, and of any order
    FoundOrder found = {};

    explicit HalfToOrder(GraphProblem given) : graph(std::move(given)), bound(lowestPossiblePeak(graph.problem)) {
        peak = OrderSimulator(graph.problem).peakOf(graphOrder(graph.problem));
    }

    /// The graph with a peak of at most `limit`. Adds the operations that have to be moved for that.
    std::shared_ptr<const Graph> within(std::int64_t limit, std::size_t& moved) const {
        if (peak <= limit) return graph.graph;
        const OperationOrder order = withFewerMoves(graph.problem, found.order, limit);
        moved += movedOperations(order);
        return inOrder(graph, order);
    }
};

std::vector<HalfToOrder> halvesOf(const std::shared_ptr<const Graph>& forward,
                                  const std::shared_ptr<const Graph>& backward, const FunctionMetadata& metadata,
                                  const OperatorCosts& costs) {
    std::vector<HalfToOrder> halves;
    halves.emplace_back(forwardProblem(forward, costs));
    if (!backward) return halves;
    const GraphProblem& first = halves.front().graph;
    OrderSimulator simulator(first.problem);
    simulator.peakOf(graphOrder(first.problem));
    halves.emplace_back(backwardProblem(backward, first, simulator.blockBytes(), metadata, costs));
    return halves;
}

}  // namespace

OrderedGraphs orderForMemory(std::shared_ptr<const Graph> forward, std::shared_ptr<const Graph> backward,
                             const FunctionMetadata& metadata, const OperatorCosts& costs) {
    OrderedGraphs result{forward, backward};
    const LiveMemory before = memoryOf(forward, backward, metadata, costs);
    result.gain.peakBefore = result.gain.peakAfter = before.peakBytes;
    std::vector<HalfToOrder> halves = halvesOf(forward, backward, metadata, costs);
    std::int64_t limit = bytesBetween(before);
    for (const HalfToOrder& half : halves) limit = std::max(limit, half.bound);
    const std::int64_t enough = limit;
    for (HalfToOrder& half : halves) {
        half.found = lowestOrder(half.graph.problem, enough);
        limit = std::max(limit, half.found.peak);
    }
    OrderedGraphs ordered = result;
    ordered.forward = halves.front().within(limit, ordered.gain.moved);
    if (backward) ordered.backward = halves.back().within(limit, ordered.gain.moved);
    if (ordered.gain.moved > 0)
        ordered.gain.peakAfter = memoryOf(ordered.forward, ordered.backward, metadata, costs).peakBytes;
    if (ordered.gain.peakAfter < before.peakBytes - before.peakBytes / kNotable) {
        ordered.log = orderText(ordered.gain);
        return ordered;
    }
    const std::string peak = "a notably lower peak than " + formatBytes(before.peakBytes);
    const bool none = enough >= before.peakBytes - before.peakBytes / kNotable;
    result.log = none ? "no order has " + peak : "no order with " + peak + " was found";
    return result;
}

Partition withOrder(Partition partition, const FunctionMetadata& metadata, const OperatorCosts& costs) {
    if (!partition.forward || !partition.backward) return partition;
    OrderedGraphs ordered = orderForMemory(partition.forward, partition.backward, metadata, costs);
    partition.forward = std::move(ordered.forward);
    partition.backward = std::move(ordered.backward);
    if (partition.plan) notePeak(*partition.plan, liveMemory(partition, metadata, costs));
    return partition;
}

}  // namespace aotscope
