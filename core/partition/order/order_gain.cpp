#include "partition/order/order_gain.h"

#include "cost/live_memory.h"
#include "partition/order/graph_problem.h"
#include "support/formatted.h"
#include "support/names.h"

#include <algorithm>
#include <unordered_map>

namespace aotscope {

namespace {

using Graphs = std::map<GraphKind, std::shared_ptr<const Graph>>;

std::int64_t peakOf(const Graphs& graphs, const CompileRecord& record) {
    const std::vector<CompilerUse> compilers = notCompiledYet(record.compilers);
    if (const auto inference = graphs.find(GraphKind::inference); inference != graphs.end())
        return liveMemory(*inference->second, record.knownMetadata(), record.knownCosts(), compilers).peakBytes;
    Partition partition;
    partition.forward = graphs.at(GraphKind::forward);
    partition.backward = graphs.at(GraphKind::backward);
    return liveMemory(partition, record.knownMetadata(), record.knownCosts(), compilers).peakBytes;
}

std::size_t movedBetween(const std::shared_ptr<const Graph>& before, const Graph& after) {
    if (before.get() == &after) return 0;
    std::unordered_map<NodeId, int> places;
    for (const Node* node : after.nodes()) places.emplace(node->id(), static_cast<int>(places.size()));
    const OrderProblem problem = forwardProblem(before, {}).problem;
    OperationOrder order = graphOrder(problem);
    std::ranges::sort(order, {},
                      [&](int i) { return places[problem.operations[static_cast<std::size_t>(i)].node->id()]; });
    return movedOperations(order);
}

}  // namespace

std::string orderText(const OrderGain& gain) {
    if (gain.moved == 0) return "predicted peak " + formatBytes(gain.peakBefore) + ", nothing moved";
    return "predicted peak " + formatBytes(gain.peakBefore) + " before, " + formatBytes(gain.peakAfter) +
           " after: " + counted(gain.moved, "operation") + " moved";
}

std::optional<OrderGain> orderGainOf(const CompileRecord& record) {
    const auto pass = std::ranges::find(record.passes, PassId::order, &PassRecord::id);
    if (pass == record.passes.end()) return std::nullopt;
    Graphs before;
    for (auto earlier = record.passes.begin(); earlier != pass; ++earlier)
        for (const auto& [kind, graph] : earlier->graphs) before[kind] = graph;
    const Graphs after(pass->graphs.begin(), pass->graphs.end());
    std::erase_if(before, [&](const auto& graph) { return !after.contains(graph.first); });
    if (before.size() != after.size() || after.empty()) return std::nullopt;
    OrderGain gain;
    for (const auto& [kind, graph] : after) gain.moved += movedBetween(before.at(kind), *graph);
    gain.peakBefore = peakOf(before, record);
    gain.peakAfter = peakOf(after, record);
    return gain;
}

}  // namespace aotscope
