#include "cost/variant_costs.h"

#include "cost/live_memory.h"

#include <algorithm>
#include <unordered_set>

namespace aotscope {

void NodeTimes::learn(const TimingResult& timing) {
    std::unordered_map<NodeId, std::pair<double, int>> sums;
    for (const StepTime& step : timing.steps) {
        auto& [ms, count] = sums[step.node];
        ms += step.medianUs / 1000;
        ++count;
    }
    for (const auto& [node, sum] : sums) measured_[node] = sum.first / sum.second;
}

double NodeTimes::ms(const Node& node) const {
    const auto known = measured_.find(node.id());
    return known == measured_.end() ? estimatedMs(node, machine_) : known->second;
}

VariantCosts costsOf(const Partition& partition, const FunctionMetadata& metadata, const NodeTimes& times) {
    VariantCosts costs;
    costs.savedBytes = partition.savedUniqueBytes();
    const LiveMemory memory = liveMemory(partition, metadata);
    costs.peakBytes = memory.peakBytes;
    costs.givenBytes = memory.givenBytes;
    costs.recomputedOps = partition.recomputed.size();
    costs.fromMeasured = times.anyMeasured();
    std::unordered_set<NodeId> recomputed;
    for (const RecomputedValue& value : partition.recomputed) recomputed.insert(value.node);
    for (const Node* node : partition.forward->nodes()) costs.forwardMs += times.ms(*node);
    for (const Node* node : partition.backward->nodes()) {
        const double ms = times.ms(*node);
        costs.backwardMs += ms;
        if (recomputed.contains(node->id())) costs.recomputedMs += ms;
    }
    return costs;
}

VariantCosts::Measured measuredCosts(const TimingResult& timing) {
    return {timing.compiledForwardMs.median, timing.compiledBackwardMs.median, timing.compiledSavedBytes,
            timing.compiledPeakBytes};
}

}  // namespace aotscope
