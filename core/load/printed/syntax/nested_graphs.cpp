#include "load/printed/syntax/nested_graphs.h"

#include "ir/subgraphs.h"
#include "load/printed/subgraphs.h"
#include "load/printed/syntax/roles.h"

#include <algorithm>

namespace aotscope {

namespace {

bool isReturned(const PrintedModule& module, const std::string& attribute) {
    return std::any_of(module.outputs.begin(), module.outputs.end(), [&](const Argument& output) {
        const Node* node = output.node();
        return node && node->kind() == NodeKind::constant && node->op() == attribute;
    });
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
