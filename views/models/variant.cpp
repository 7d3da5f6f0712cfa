#include "models/variant.h"

namespace aotscope {

Variant makeVariant(const QString& name, const PartitionOptions& options, std::shared_ptr<const Partition> partition,
                    const FunctionMetadata& metadata, const TimeEstimate& estimate) {
    Variant variant;
    variant.name = name;
    variant.options = options;
    variant.partition = std::move(partition);
    const Partition& p = *variant.partition;
    variant.memory = std::make_shared<const LiveMemory>(liveMemory(p, metadata));
    VariantFigures& figures = variant.figures;
    figures.savedBytes = p.savedUniqueBytes();
    figures.savedValues = p.saved.size();
    figures.recomputedValues = p.recomputed.size();
    figures.forwardOps = p.forward->callCount();
    figures.backwardOps = p.backward->callCount();
    figures.peakBytes = variant.memory->peakBytes;
    const auto total = [&](const Graph& graph) {
        double ms = 0;
        for (const Node* node : graph.nodes())
            if (node->kind() == NodeKind::call) ms += estimate(*node);
        return ms;
    };
    if (!estimate) return variant;
    figures.forwardMs = total(*p.forward);
    figures.backwardMs = total(*p.backward);
    return variant;
}

}  // namespace aotscope
