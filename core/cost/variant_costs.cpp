#include "cost/variant_costs.h"

#include "cost/communication.h"
#include "cost/live_memory.h"
#include "record/partition_figures.h"
#include "record/results/graph_times.h"
#include "support/formatted.h"

#include <unordered_set>

namespace aotscope {

std::string timeText(double ms, TimeBasis basis) {
    switch (basis) {
        case TimeBasis::measured: return formatDuration(ms);
        case TimeBasis::estimated: return formatEstimate(ms);
        case TimeBasis::unreliable: return "unreliable";
    }
    return {};
}

void NodeTimes::learn(const TimingResult& timing) {
    const GraphTimes times(timing);
    timed_ = {true, timing.backward};
    for (const StepTime& step : timing.steps)
        measured_[step.node][step.graph == GraphKind::backward] = times.stepUs(step) / 1000;
    for (const bool backward : {false, true}) overheadMs_[backward] = times.overheadUs(backward) / 1000;
    divideKernels(timing);
}

/// A kernel that computes several nodes is one step, with the name of the last one: each node gets an equal part.
void NodeTimes::divideKernels(const TimingResult& timing) {
    for (const CompilerUse& use : timing.compilers) {
        const bool backward = use.graph == GraphKind::backward;
        for (const std::vector<NodeId>& group : use.groups) {
            double ms = 0;
            for (const NodeId node : group) ms += measured_[node][backward].value_or(0);
            for (const NodeId node : group) measured_[node][backward] = ms / static_cast<double>(group.size());
        }
    }
}

double NodeTimes::ms(const Node& node) const { return (ms(node, false) + ms(node, true)) / 2; }

double NodeTimes::ms(const Node& node, bool backward) const {
    if (node.kind() != NodeKind::call) return 0;  // values saved by the forward are inputs of the backward
    const auto known = measured_.find(node.id());
    if (known == measured_.end()) return timed_[backward] ? 0 : estimatedMs(node, machine_);
    const BothMs& both = known->second;
    return both[backward] ? *both[backward] : both[!backward].value_or(0);
}

TimeBasis NodeTimes::basis() const {
    if (timed_[false]) return TimeBasis::measured;
    return machine_.disturbed() ? TimeBasis::unreliable : TimeBasis::estimated;
}

VariantCosts costsOf(const Partition& partition, const FunctionMetadata& metadata, const NodeTimes& times) {
    VariantCosts costs;
    const PartitionFigures figures = figuresOf(partition);
    costs.savedBytes = figures.savedBytes;
    costs.savedValues = figures.savedValues;
    costs.recomputedOps = figures.recomputedOps;
    const LiveMemory memory = liveMemory(partition, metadata);
    costs.peakBytes = memory.peakBytes;
    costs.givenBytes = memory.givenBytes;
    costs.basis = times.basis();
    std::unordered_set<NodeId> recomputed;
    for (const RecomputedValue& value : partition.recomputed) recomputed.insert(value.node);
    costs.forwardMs = times.overheadMs(false);
    costs.backwardMs = times.overheadMs(true);
    for (const Node* node : partition.forward->nodes()) costs.forwardMs += times.ms(*node, false);
    for (const Node* node : partition.backward->nodes()) {
        const double ms = times.ms(*node, true);
        costs.backwardMs += ms;
        if (recomputed.contains(node->id())) costs.recomputedMs += ms;
    }
    const Communication communication = communicationOf(partition, times.world(), times.links(), times.machine());
    costs.sentBytes = communication.sentBytes();
    costs.exposedMs = communication.exposed();
    costs.simulatedMs = communication.total();
    return costs;
}

VariantCosts::Measured measuredCosts(const TimingResult& timing) {
    return {graphMs(timing, false), graphMs(timing, true), timing.compiledSavedBytes, timing.compiledPeakBytes};
}

}  // namespace aotscope
