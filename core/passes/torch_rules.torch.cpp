#include "passes/torch_rules.h"

#include "load/printed/derived_types.h"
#include "passes/ir_levels.h"

namespace aotscope {

LoweredGraph TorchRules::lower(const Graph& graph, const std::shared_ptr<const DecompositionTable>& table,
                               OperatorKinds allow) const {
    return lowerGraph(graph, table, allow);
}

bool TorchRules::deriveStridesOf(const std::vector<Node*>& nodes) const {
    aotscope::deriveStrides(nodes);
    return true;
}

bool TorchRules::deriveUntyped(Graph& graph) const {
    aotscope::deriveUntyped(graph);
    return true;
}

}  // namespace aotscope
