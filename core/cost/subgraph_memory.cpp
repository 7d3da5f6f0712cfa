#include "cost/subgraph_memory.h"

#include "cost/subgraph_cost.h"
#include "ir/subgraphs.h"
#include "ops/op_table.h"

#include <algorithm>

namespace aotscope {

namespace {

std::int64_t returnedBytes(const Graph& graph) {
    std::int64_t bytes = 0;
    for (const Node* node : graph.output()->inputs()) bytes += node->type.tensorBytes();
    return bytes;
}

/// What an operator's steps allocate. A step runs the last subgraph; a while_loop's first one is its condition.
struct Steps {
    std::int64_t count = 0;
    std::int64_t returned = 0;  ///< by one step
    std::int64_t peak = 0;      ///< of one step

    /// The results of all steps are kept until they are stacked. `stacked`: the stacked results.
    std::int64_t stackedPeak(std::int64_t stacked) const {
        return std::max(std::max<std::int64_t>(count - 1, 0) * returned + peak, count * returned + stacked);
    }
};

/// What the operator carries from step to step: the first of its results, owned by its last step.
std::int64_t carriedBytes(const Node& node) {
    const auto* init = node.args().size() > 1 ? node.args()[1].list() : nullptr;
    std::int64_t bytes = 0;
    if (init)
        for (const Argument& carried : *init)
            if (const Node* value = carried.node()) bytes += value->type.tensorBytes();
    return bytes;
}

std::int64_t peakBytes(const Node& node, const Steps& steps, std::int64_t results) {
    if (node.isCall("higher_order.while_loop")) return results + steps.peak;
    if (node.isCall("higher_order.scan")) return steps.stackedPeak(results - carriedBytes(node));
    const bool stacks = node.isCall("higher_order.map_impl") || node.isCall("higher_order.associative_scan") ||
                        node.isCall("higher_order.while_loop_stack_output");
    return stacks ? steps.stackedPeak(results) : steps.peak;
}

}  // namespace

std::int64_t subgraphWorkspace(const Node& node, const PeakOf& peakOf) {
    if (!isHigherOrder(node)) return 0;
    Steps steps{stepsOf(node), 0, 0};
    for (const auto& subgraph : subgraphsOf(node)) {
        steps.returned = returnedBytes(*subgraph);
        steps.peak = std::max({steps.peak, steps.returned, peakOf(*subgraph)});
    }
    const std::int64_t results = node.type.tensorBytes();
    return std::max<std::int64_t>(peakBytes(node, steps, results) - results, 0);
}

}  // namespace aotscope
