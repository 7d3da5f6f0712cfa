#include "ops/classify.h"
#include "passes/passes.h"

#include <unordered_set>

namespace aotscope {

namespace {

constexpr std::size_t kRunningMean = 3, kRunningVar = 4, kTrain = 7;

/// The backward of batch norm takes the running statistics, but reads those of the batch in training mode.
bool takesUnreadStatistics(const Node* node) {
    if (!node->isCall("aten.native_batch_norm_backward.default")) return false;
    const auto& args = node->args();
    const bool* train = std::get_if<bool>(&args[kTrain].value);
    return train && *train && !(args[kRunningMean].isNone() && args[kRunningVar].isNone());
}

bool dropUnreadArguments(Graph& graph) {
    bool changed = false;
    for (Node* node : graph.nodes()) {
        if (!takesUnreadStatistics(node)) continue;
        std::vector<Argument> args = node->args();
        args[kRunningMean] = args[kRunningVar] = {};
        graph.setArguments(node, std::move(args), node->kwargs());
        changed = true;
    }
    return changed;
}

std::unordered_set<const Node*> liveNodes(const Graph& graph) {
    std::unordered_set<const Node*> live;
    live.reserve(graph.size());
    const auto stays = [](const Node* node) {
        return node->kind() == NodeKind::output || node->kind() == NodeKind::placeholder || drawsRandomNumbers(*node) ||
               hasEffect(*node);
    };
    for (std::size_t i = graph.size(); i-- > 0;) {
        const Node* node = graph.at(i);
        if (!live.contains(node) && !stays(node)) continue;
        live.insert(node);
        live.insert(node->inputs().begin(), node->inputs().end());
    }
    return live;
}

bool eliminateDeadNodes(Graph& graph) {
    const auto live = liveNodes(graph);
    return graph.eraseIf([&](const Node* node) { return !live.contains(node); }) > 0;
}

}  // namespace

bool hasDeadCode(const Graph& graph) {
    for (std::size_t i = 0; i < graph.size(); ++i)
        if (takesUnreadStatistics(graph.at(i))) return true;
    return liveNodes(graph).size() < graph.size();
}

bool eliminateDeadCode(Graph& graph) {
    const bool fewerArguments = dropUnreadArguments(graph);
    return eliminateDeadNodes(graph) || fewerArguments;
}

}  // namespace aotscope
