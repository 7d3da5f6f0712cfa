#include "load/printed/syntax/nested_graphs.h"

#include "ir/subgraphs.h"
#include "load/printed/syntax/roles.h"

#include <algorithm>
#include <unordered_map>

namespace aotscope {

namespace {

bool isReturned(const PrintedModule& module, const std::string& attribute) {
    return std::any_of(module.outputs.begin(), module.outputs.end(), [&](const Argument& output) {
        const Node* node = output.node();
        return node && node->kind() == NodeKind::constant && node->op() == attribute;
    });
}

/// Python prints the subgraphs of an operator such as cond as modules nested in the graph's module, and reads them as
/// attributes before the call. Turns them into arguments of the call; `subgraphs` is by attribute.
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

}  // namespace

int takeNested(PrintedModule& module, std::map<std::string, std::shared_ptr<const Graph>>& all,
               const GraphRules& rules) {
    std::map<std::string, std::shared_ptr<const Graph>> own;
    int levels = 0;
    for (auto& inner : module.nested) {
        setPlaceholderRoles(*inner, false);
        const int within = takeNested(*inner, all, rules);
        KnownTypes known;
        rules.deriveStrides(*inner, known);
        module.underived |= inner->underived;
        setTupleTypes(*inner->graph);
        completeGraph(*inner, inner->className, std::vector<OutputSlot>(inner->outputs.size()));
        const std::shared_ptr<const Graph> graph = std::move(inner->graph);
        all.try_emplace(inner->className, graph);
        if (within < kDeepestSubgraph && own.emplace(inner->className, graph).second)
            levels = std::max(levels, within + 1);
    }
    std::erase_if(own, [&](const auto& entry) { return isReturned(module, entry.first); });
    takeSubgraphs(*module.graph, own);
    return levels;
}

void completeGraph(PrintedModule& module, std::string_view name, std::vector<OutputSlot> slots) {
    module.graph->rename(std::string(name));
    module.graph->setOutput(std::move(module.outputs), std::move(slots));
    numberStorages(*module.graph);
}

}  // namespace aotscope
