#include "passes/torch_rules.h"

#include "load/printed/derived_types.h"
#include "passes/ir_levels.h"

namespace aotscope {

namespace {

class TorchRules final : public GraphRules {
public:
    LoweredGraph lower(const Graph& graph, const std::shared_ptr<const DecompositionTable>& table,
                       OperatorKinds allow) const override {
        return lowerGraph(graph, table, allow);
    }

private:
    bool deriveStridesOf(const std::vector<Node*>& nodes) const override {
        aotscope::deriveStrides(nodes);
        return true;
    }
    bool deriveUntyped(Graph& graph) const override {
        aotscope::deriveUntyped(graph);
        return true;
    }
};

}  // namespace

const GraphRules& torchRules() {
    static const TorchRules rules;
    return rules;
}

}  // namespace aotscope
