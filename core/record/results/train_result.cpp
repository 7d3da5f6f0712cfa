#include "record/results/train_result.h"

#include "support/enumerators.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace aotscope {

namespace {

/// Steps during which allocators and kernel buffers still grow.
constexpr std::size_t kWarmUp = 10;

/// `bytes`: of a step; meaningless with too few steps. Allocators keep freed memory for a while: the size of a process
/// fluctuates by megabytes without a leak. So the minima of the two halves are compared, which are half of the steps
/// apart if there is a leak.
template <typename Bytes>
double growthPer100(const std::vector<TrainStep>& steps, Bytes&& bytes) {
    if (steps.size() <= kWarmUp) return 0;
    std::vector<std::int64_t> sizes;
    for (std::size_t i = kWarmUp - 1; i < steps.size(); ++i) sizes.push_back(bytes(steps[i]));
    const auto half = static_cast<std::ptrdiff_t>(sizes.size() / 2);
    const std::int64_t first = *std::min_element(sizes.begin(), sizes.begin() + half),
                       last = *std::min_element(sizes.end() - half, sizes.end());
    return static_cast<double>(last - first) * 100 / static_cast<double>(sizes.size() - static_cast<std::size_t>(half));
}

LossDifference difference(std::size_t step, double eager, double compiled) {
    if (eager == compiled || (std::isnan(eager) && std::isnan(compiled))) return {step, 0, 0};
    const double absolute = std::abs(eager - compiled);
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (!std::isfinite(absolute)) return {step, infinity, infinity};
    return {step, absolute, absolute / std::max(std::abs(eager), std::abs(compiled))};
}

}  // namespace

std::string_view name(OptimizerKind kind) { return spelled(kind); }

std::optional<OptimizerKind> optimizerFromName(std::string_view text) { return enumeratorNamed<OptimizerKind>(text); }

TrainFigures figuresOf(const std::vector<TrainStep>& steps, TrainIteration TrainStep::*run) {
    TrainFigures figures;
    if (steps.empty()) return figures;
    figures.firstLoss = (steps.front().*run).loss;
    figures.lastLoss = (steps.back().*run).loss;
    double ms = 0;
    const std::size_t first = steps.size() > 1 ? 1 : 0;
    for (std::size_t i = first; i < steps.size(); ++i) ms += (steps[i].*run).ms;
    figures.stepsPerSecond = ms > 0 ? 1000 * static_cast<double>(steps.size() - first) / ms : 0;
    for (const TrainStep& step : steps) figures.peakBytes = std::max(figures.peakBytes, (step.*run).peakBytes);
    figures.growthPer100Steps = growthPer100(steps, [run](const TrainStep& step) { return (step.*run).liveBytes; });
    return figures;
}

double residentGrowthPer100Steps(const std::vector<TrainStep>& steps) {
    return growthPer100(steps, [](const TrainStep& step) { return step.residentBytes; });
}

LossDifference largestDifference(const std::vector<TrainStep>& steps) {
    LossDifference largest;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const LossDifference here = difference(i, steps[i].eager.loss, steps[i].compiled.loss);
        if (here.relative > largest.relative) largest = here;
    }
    return largest;
}

}  // namespace aotscope
