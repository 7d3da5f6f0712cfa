#include "load/printed/subgraphs.h"

#include <unordered_map>

namespace aotscope {

void takeSubgraphs(Graph& graph, const std::map<std::string, std::shared_ptr<const Graph>>& subgraphs) {
    std::unordered_map<const Node*, std::shared_ptr<const Graph>> read;
    for (const Node* node : graph.nodes())
        if (node->kind() == NodeKind::constant)
            if (const auto it = subgraphs.find(node->op()); it != subgraphs.end()) read.emplace(node, it->second);
    if (read.empty()) return;
    const auto graphOrNode = [&](Node* node) -> Argument {
        const auto it = read.find(node);
        return it == read.end() ? Argument(node) : Argument(it->second);
    };
    for (const auto& [constant, subgraph] : read)
        for (Node* user : std::vector<Node*>(constant->users().begin(), constant->users().end())) {
            std::vector<Argument> args;
            KeywordArguments kwargs;
            for (const Argument& argument : user->args()) args.push_back(mapNodes(argument, graphOrNode));
            for (const auto& [key, argument] : user->kwargs())
                kwargs.emplace_back(key, mapNodes(argument, graphOrNode));
            graph.setArguments(user, std::move(args), std::move(kwargs));
        }
    graph.eraseIf([&](const Node* node) { return read.contains(node); });
}

}  // namespace aotscope
