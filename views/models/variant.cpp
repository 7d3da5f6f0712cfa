#include "models/variant.h"

#include "cost/placement/placement.h"
#include "models/words/to_qstring.h"
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
    variant.memory =
        std::make_shared<const LiveMemory>(liveMemory(*variant.partition, metadata, times.costs(), times.compilers()));
    variant.arena = toQString(arenaText(placementOf(*variant.memory)));
    variant.figures = costsOf(*variant.partition, metadata, times);
    return variant;
}

}  // namespace aotscope
