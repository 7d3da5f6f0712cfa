#pragma once

#include "compile/plugin.h"

#include <vector>

namespace aotscope {

/// Inserts `op` of `right` and `number` after `right`, in place of all its uses. Returns the new node.
inline Node* plantBehind(Graph& graph, Node* right, const char* op, double number) {
    Node* wrong = graph.addCall(op, {right, number}, {}, right->type);
    graph.replaceAllUses(right, wrong);
    graph.setArguments(wrong, {right, number});
    std::vector<Node*> order;
    for (Node* other : graph.nodes()) {
        if (other != wrong) order.push_back(other);
        if (other == right) order.push_back(wrong);
    }
    graph.reorder(order);
    return wrong;
}

}  // namespace aotscope
