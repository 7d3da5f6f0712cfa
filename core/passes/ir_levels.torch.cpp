#include "passes/ir_levels.h"

#include "ops/operator_policy.h"
#include "passes/decompose_graph.h"
#include "passes/passes.h"

#include <unordered_set>

namespace aotscope {

LoweredGraph lowerGraph(const Graph& graph, const std::shared_ptr<const DecompositionTable>& table,
                        OperatorKinds allow) {
    requireAllowed(graph, allow);
    DecomposedGraph decomposed = decomposeGraph(graph, {}, table);
    eliminateDeadCode(*decomposed.graph);
    LoweredGraph result;
    result.graph = std::move(decomposed.graph);
    result.rewrites = std::move(decomposed.rewrites);
    std::unordered_set<NodeId> alive;
    for (const Node* node : result.graph->nodes()) alive.insert(node->id());
    for (const Node* above : graph.nodes()) {
        const auto it = decomposed.became.find(above->id());
        if (it == decomposed.became.end()) continue;
        auto& below = result.became[above->id()] = it->second;
        std::erase_if(below, [&](NodeId id) { return !alive.contains(id); });
        for (const NodeId id : below) result.origin.try_emplace(id, above->id());  // the one that computed it is first
    }
    return result;
}

std::vector<IrLevel> irLevels(const std::shared_ptr<const Graph>& graph) {
    std::vector<IrLevel> levels = {{"ATen", {graph, {}, {}, {}}}};
    for (const Node* node : graph->nodes()) {
        levels[0].lowered.became[node->id()] = {node->id()};
        levels[0].lowered.origin[node->id()] = node->id();
    }
    for (const auto& [name, table] : {std::pair("core ATen", "core-aten"), std::pair("prims", "prims")})
        levels.push_back({name, lowerGraph(*levels.back().lowered.graph, DecompositionTable::load(table))});
    return levels;
}

}  // namespace aotscope
