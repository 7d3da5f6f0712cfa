#include "load/printed/graph_rules.h"

#include "support/error.h"
#include "support/needs_torch.h"

#include <algorithm>

namespace aotscope {

namespace {

class RulesWithoutTorch final : public GraphRules {
public:
    LoweredGraph lower(const Graph& /*graph*/, const std::shared_ptr<const DecompositionTable>& /*table*/,
                       OperatorKinds /*allow*/) const override {
        throw Error(needsTorch("replacing operations by simpler ones"));
    }

private:
    bool deriveStridesOf(const std::vector<Node*>& nodes) const override {
        return std::ranges::none_of(
            nodes, [](const Node* node) { return node->kind() == NodeKind::call && node->type.tensor(); });
    }
    bool deriveUntyped(Graph& graph) const override {
        return std::ranges::none_of(
            graph.nodes(), [](const Node* node) { return node->kind() == NodeKind::call && !node->type.known(); });
    }
};

}  // namespace

void GraphRules::deriveStrides(PrintedModule& module, KnownTypes& known) const {
    if (module.unstrided.empty()) return;
    for (Node* node : module.unstrided) {
        const auto same = node->kind() == NodeKind::placeholder ? known.find(node->name()) : known.end();
        TensorType* type = node->type.tensor();
        if (same == known.end() || !type || same->second.sizes != type->sizes) continue;
        type->strides = same->second.strides;
        type->symbolic = same->second.symbolic;
    }
    if (!deriveStridesOf(module.unstrided)) module.underived = true;
    for (const Node* node : module.graph->nodes())
        if (const TensorType* type = node->type.tensor()) known.try_emplace(node->name(), *type);
}

void GraphRules::deriveFromInputs(PrintedModule& module) const {
    if (module.loaded && !deriveUntyped(*module.graph)) module.underived = true;
}

const GraphRules& rulesWithoutTorch() {
    static const RulesWithoutTorch rules;
    return rules;
}

std::string underivedWarning() {
    return needsTorch("deriving the strides and types that the text leaves out from the operations") +
           "; these strides are shown as contiguous, and these types as unknown";
}

}  // namespace aotscope
