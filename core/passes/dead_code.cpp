#include "ops/classify.h"
#include "ops/op_table.h"
#include "passes/passes.h"

#include <unordered_set>

namespace aotscope {

namespace {

/// The backward of batch norm takes the running statistics, but in training it reads those of the batch.
bool dropRunningStatistics(Graph& graph, Node* node) {
    constexpr std::size_t kRunningMean = 3, kRunningVar = 4, kTrain = 7;
    if (!node->isCall("aten.native_batch_norm_backward.default")) return false;
    std::vector<Argument> args = node->args();
    const bool* train = std::get_if<bool>(&args[kTrain].value);
    if (!train || !*train || (args[kRunningMean].isNone() && args[kRunningVar].isNone())) return false;
    args[kRunningMean] = args[kRunningVar] = {};
    graph.setArguments(node, std::move(args), node->kwargs());
    return true;
}

bool dropUnreadArguments(Graph& graph) {
    bool changed = false;
    for (Node* node : graph.nodes()) changed = dropRunningStatistics(graph, node) || changed;
    return changed;
}

bool eliminateDeadNodes(Graph& graph) {
    std::unordered_set<const Node*> live;
    const auto nodes = graph.nodes();
    for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
        const Node* node = *it;
        const bool root = node->kind() == NodeKind::output || node->kind() == NodeKind::placeholder ||
                          drawsRandomNumbers(*node) || hasEffect(*node);
        if (root) live.insert(node);
        if (live.contains(node)) live.insert(node->inputs().begin(), node->inputs().end());
    }
    return graph.eraseIf([&](const Node* node) { return !live.contains(node); }) > 0;
}

}  // namespace

bool eliminateDeadCode(Graph& graph) {
    const bool fewerArguments = dropUnreadArguments(graph);
    return eliminateDeadNodes(graph) || fewerArguments;
}

}  // namespace aotscope
