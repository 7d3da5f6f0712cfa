#include "ops/op_table.h"
#include "partition/classify.h"
#include "passes/passes.h"

#include <unordered_set>

namespace aotscope {

bool eliminateDeadCode(Graph& graph) {
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

}  // namespace aotscope
