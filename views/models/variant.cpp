#include "models/variant.h"

#include "record/results/graph_times.h"

namespace aotscope {

MeasuredFigures measuredFigures(const TimingResult& timing) {
    std::vector<std::int64_t> liveBytes;
    for (const StepTime& step : timing.steps) liveBytes.push_back(step.liveBytes);
    return {graphMs(timing, false), graphMs(timing, true), timing.compiledPeakBytes, liveBytes};
}

Variant makeVariant(const QString& name, const PartitionOptions& options, std::shared_ptr<const Partition> partition,
                    const FunctionMetadata& metadata, const NodeTimes& times) {
    Variant variant;
    variant.name = name;
    variant.options = options;
    variant.partition = std::move(partition);
    const Partition& p = *variant.partition;
    variant.memory = std::make_shared<const LiveMemory>(liveMemory(p, metadata));
    const VariantCosts costs = costsOf(p, metadata, times);
    VariantFigures& figures = variant.figures;
    figures.savedBytes = costs.savedBytes;
    figures.savedValues = costs.savedValues;
    figures.recomputedOps = costs.recomputedOps;
    figures.forwardOps = p.forward->callCount();
    figures.backwardOps = p.backward->callCount();
    figures.forwardMs = costs.forwardMs;
    figures.backwardMs = costs.backwardMs;
    figures.recomputedMs = costs.recomputedMs;
    figures.basis = costs.basis;
    figures.peakBytes = costs.peakBytes;
    figures.sentBytes = costs.sentBytes;
    figures.exposedMs = costs.exposedMs;
    figures.simulatedMs = costs.simulatedMs;
    return variant;
}

}  // namespace aotscope
