#include "load/exported/source.h"

#include <utility>
#include <vector>

namespace aotscope {

std::shared_ptr<const Graph> sourceGraph(const Graph& graph) {
    std::shared_ptr<Graph> copy = graph.clone();
    for (Node* node : copy->nodes()) {
        if (node->type.tuple()) node->type = {};
        std::vector<Argument> args = node->args();
        bool changed = false;
        for (Argument& argument : args)
            if (const auto* subgraph = argument.subgraph()) argument = sourceGraph(**subgraph), changed = true;
        if (changed) copy->setArguments(node, std::move(args), node->kwargs());
    }
    copy->eraseIf([](const Node* node) {  // begin and end of regions
        return node->kind() == NodeKind::call && node->op().starts_with("region.");
    });
    return copy;
}

}  // namespace aotscope
