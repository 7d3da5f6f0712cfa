#pragma once

#include "load/printed/graph_rules.h"

namespace aotscope {

/// LibTorch's rules.
class TorchRules final : public GraphRules {
public:
    LoweredGraph lower(const Graph& graph, const std::shared_ptr<const DecompositionTable>& table,
                       OperatorKinds allow) const override;

private:
    bool deriveStridesOf(const std::vector<Node*>& nodes) const override;
    bool deriveUntyped(Graph& graph) const override;
};

}  // namespace aotscope
