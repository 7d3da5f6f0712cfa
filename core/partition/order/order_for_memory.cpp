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

/// How graphs are judged.
struct Judge {
    const FunctionMetadata& metadata;
    const OperatorCosts& costs;
    const std::vector<CompilerUse>& compilers;

    LiveMemory memory(const std::shared_ptr<const Graph>& forward, const std::shared_ptr<const Graph>& backward) const {
        if (!backward) return liveMemory(*forward, metadata, costs, compilers);
        Partition partition;
        partition.forward = forward;
        partition.backward = backward;
        return liveMemory(partition, metadata, costs, compilers);
    }
};

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

/// `graphs` with each half, or both, within the limit: what has the lowest peak, since compilers may need more memory
/// where the interpreter needs less.
OrderedGraphs bestOf(const std::vector<HalfToOrder>& halves, std::int64_t limit, const OrderedGraphs& graphs,
                     const Judge& judge) {
    std::size_t movedFirst = 0, movedSecond = 0;
    const auto forward = halves.front().within(limit, movedFirst);
    const auto backward = halves.size() > 1 ? halves.back().within(limit, movedSecond) : nullptr;
    OrderedGraphs best = graphs;
    const auto consider = [&](bool first, bool second) {
        if ((first && movedFirst == 0) || (second && movedSecond == 0)) return;
        OrderedGraphs some = graphs;
        if (first) some.forward = forward;
        if (second) some.backward = backward;
        some.gain.moved = (first ? movedFirst : 0) + (second ? movedSecond : 0);
        some.gain.peakAfter = judge.memory(some.forward, some.backward).peakBytes;
        if (some.gain.peakAfter < best.gain.peakAfter) best = std::move(some);
    };
    consider(true, true);
    consider(true, false);
    consider(false, true);
    return best;
}

}  // namespace

OrderedGraphs orderForMemory(std::shared_ptr<const Graph> forward, std::shared_ptr<const Graph> backward,
                             const FunctionMetadata& metadata, const OperatorCosts& costs,
                             const std::vector<CompilerUse>& compilers) {
    OrderedGraphs result{forward, backward};
    const Judge judge{metadata, costs, compilers};
    const LiveMemory before = judge.memory(forward, backward);
    result.gain.peakBefore = result.gain.peakAfter = before.peakBytes;
    std::vector<HalfToOrder> halves = halvesOf(forward, backward, metadata, costs);
    std::int64_t limit = bytesBetween(before);
    for (const HalfToOrder& half : halves) limit = std::max(limit, half.bound);
    const std::int64_t enough = limit;
    for (HalfToOrder& half : halves) {
        half.found = lowestOrder(half.graph.problem, enough);
        limit = std::max(limit, half.found.peak);
    }
    const OrderedGraphs ordered = bestOf(halves, limit, result, judge);
    if (ordered.gain.peakAfter < before.peakBytes - before.peakBytes / kNotable) {
        result = ordered;
        result.log = orderText(result.gain);
        return result;
    }
    const std::string peak = "a notably lower peak than " + formatBytes(before.peakBytes);
    const bool none = enough >= before.peakBytes - before.peakBytes / kNotable;
    result.log = none ? "no order has " + peak : "no order with " + peak + " was found";
    return result;
}

Partition withOrder(Partition partition, const Graph& joint, const FunctionMetadata& metadata,
                    const RuntimeModel& model) {
    if (!partition.forward || !partition.backward) return partition;
    const auto costs = model.costsOf(joint);
    OrderedGraphs ordered = orderForMemory(partition.forward, partition.backward, metadata, *costs, model.compilers);
    partition.forward = std::move(ordered.forward);
    partition.backward = std::move(ordered.backward);
    if (partition.plan) notePeak(*partition.plan, liveMemory(partition, metadata, *costs, model.compilers));
    return partition;
}

}  // namespace aotscope
