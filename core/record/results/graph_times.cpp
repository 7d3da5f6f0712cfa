#include "record/results/graph_times.h"

#include "record/compile_record.h"

#include <algorithm>

namespace aotscope {

namespace {

bool isBackward(const StepTime& step) { return step.graph == GraphKind::backward; }

}  // namespace

double graphMs(const TimingResult& timing, bool backward) {
    return (backward ? timing.compiledBackwardMs : timing.compiledForwardMs).median;
}

GraphTimes::GraphTimes(const TimingResult& timing) {
    for (const bool backward : {false, true}) halves_[backward].totalUs = 1000 * graphMs(timing, backward);
    for (const StepTime& step : timing.steps) halves_[isBackward(step)].stepsUs += step.medianUs;
}

double GraphTimes::stepUs(const StepTime& step) const { return step.medianUs * halves_[isBackward(step)].scale(); }

double GraphTimes::overheadUs(bool backward) const {
    return std::max(0.0, halves_[backward].totalUs - halves_[backward].stepsUs);
}

double GraphTimes::utilization() const {
    const double total = totalUs();
    return total > 0 ? (total - overheadUs(false) - overheadUs(true)) / total : 0;
}

}  // namespace aotscope
