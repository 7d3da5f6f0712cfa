#include "cost/variant_costs.h"

#include "cost/communication.h"
#include "cost/live_memory.h"
#include "record/partition_figures.h"
#include "record/results/graph_times.h"
#include "support/formatted.h"

#include <unordered_set>

namespace aotscope {

namespace {

/// The part of a sum that may be off by any factor without making the sum meaningless.
constexpr double kUnknownPart = 0.05;

}  // namespace

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

NodeFigure<double> NodeTimes::figure(const Node& node, bool backward) const {
    constexpr CostBasis measured = CostBasis::measured;
    if (node.kind() != NodeKind::call) return {0, measured};  // values saved by the forward are inputs of the backward
    const auto known = measured_.find(node.id());
    if (known == measured_.end())
        return timed_[backward] ? NodeFigure<double>{0, measured} : timeOf(node, machine_, *costs_);
    const BothMs& both = known->second;
    return {both[backward] ? *both[backward] : both[!backward].value_or(0), measured};
}

std::string sharesText(const std::array<double, 3>& by) {
    const double total = by[0] + by[1] + by[2];
    std::string text;
    if (by[0] + by[1] <= 0) return text;
    for (const CostBasis basis : {CostBasis::measured, CostBasis::near, CostBasis::estimated})
        if (const double part = by.at(static_cast<std::size_t>(basis)); part > 0)
            text += (text.empty() ? "" : ", ") + std::string(name(basis)) + formatted(" %.0f %%", 100 * part / total);
    return text;
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
    const LiveMemory memory = liveMemory(partition, metadata, times.costs(), times.compilers());
    costs.peakBytes = memory.peakBytes;
    costs.givenBytes = memory.givenBytes;
    costs.basis = times.basis();
    std::unordered_set<NodeId> recomputed;
    for (const RecomputedValue& value : partition.recomputed) recomputed.insert(value.node);
    costs.forwardMs = times.overheadMs(false);
    costs.backwardMs = times.overheadMs(true);
    const auto timeIn = [&](const Node& node, bool backward) {
        const NodeFigure<double> time = times.figure(node, backward);
        costs.msBy.at(static_cast<std::size_t>(time.basis)) += time.value;
        return time.value;
    };
    for (const Node* node : partition.forward->nodes()) costs.forwardMs += timeIn(*node, false);
    for (const Node* node : partition.backward->nodes()) {
        const double ms = timeIn(*node, true);
        costs.backwardMs += ms;
        if (recomputed.contains(node->id())) costs.recomputedMs += ms;
    }
    // The rates of a machine that was busy do not matter to what was measured.
    const bool fromRates = costs.msBy[static_cast<std::size_t>(CostBasis::estimated)] > kUnknownPart * costs.ms();
    if (costs.basis == TimeBasis::unreliable && !fromRates) costs.basis = TimeBasis::estimated;
    const Communication communication =
        communicationOf(partition, times.world(), times.links(), times.machine(), times.costs());
    costs.sentBytes = communication.sentBytes();
    costs.exposedMs = communication.exposed();
    costs.simulatedMs = communication.total();
    return costs;
}

VariantCosts::Measured measuredCosts(const TimingResult& timing) {
    return {graphMs(timing, false), graphMs(timing, true), timing.compiledSavedBytes, timing.compiledPeakBytes};
}

}  // namespace aotscope
