#pragma once

#include "ir/metadata.h"
#include "partition/order/order_problem.h"
#include "record/results/operator_costs.h"

#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace aotscope {

/// The problem of one graph, and how its nodes belong to it.
struct GraphProblem {
    std::shared_ptr<const Graph> graph;
    OrderProblem problem;
    std::vector<int> outputBlocks;  ///< by output; kNone: not memory of its own
};

/// For a forward or inference graph. `costs`: what is known of inner bytes. Agrees with liveMemory
/// (cost/live_memory.h), which interprets the graphs.
GraphProblem forwardProblem(std::shared_ptr<const Graph> graph, const OperatorCosts& costs);
/// For the backward after that forward. `blockBytes`: of the forward's blocks when it has run.
GraphProblem backwardProblem(std::shared_ptr<const Graph> graph, const GraphProblem& forward,
                             const std::vector<std::int64_t>& blockBytes, const FunctionMetadata& metadata,
                             const OperatorCosts& costs);

/// A copy of the graph with its operations in this order. What is not an operation stays behind the operation that it
/// follows in the graph if it can, and otherwise comes before the first that needs it.
std::shared_ptr<const Graph> inOrder(const GraphProblem& graph, const OperationOrder& order);

}  // namespace aotscope
