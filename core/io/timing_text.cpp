#include "io/timing_text.h"

#include "cost/live_memory.h"
#include "io/text_report.h"
#include "ir/printer.h"
#include "record/results/graph_times.h"
#include "record/results/module_times.h"
#include "support/formatted.h"
#include "support/names.h"

#include <algorithm>

namespace aotscope {

namespace {

std::string formatUs(double us) { return formatDuration(us / 1000); }

std::string percent(double share) { return formatted("%.1f %%", 100 * share); }

constexpr double kUsual = 0.95;

std::string confidenceText(const Ratio& ratio) {
    return ratio.confidence < kUsual ? formatted(", %.0f %% sure)", 100 * ratio.confidence) : ")";
}

/// `ratio` without the part that is no share.
std::string shareText(const Ratio& ratio, double without) {
    return percent(ratio.median - without) +
           formatted(" (%.1f to %.1f", 100 * (ratio.low - without), 100 * (ratio.high - without)) +
           confidenceText(ratio);
}

std::string spreadText(const Spread& ms) {
    return formatDuration(ms.median) + " (" + formatDuration(ms.lower) + " to " + formatDuration(ms.upper) + ")";
}

std::vector<std::string> row(const std::string& what, const Spread& first, const Spread& second, const Ratio& ratio) {
    return {what, spreadText(first), spreadText(second), formatRatio(ratio)};
}

std::string iterationsText(int iterations, int warmUps) {
    return "median (quartiles) of " + std::to_string(iterations) +
           (warmUps == 1 ? "" : ", " + counted(static_cast<std::size_t>(warmUps), "warm-up"));
}

std::string graphsText(const TimingResult& timing) {
    std::string text;
    for (const GraphTime& graph : timing.graphs)
        if (graph.ms.median > 0) text += graphTimeText(graph) + "\n";
    return text + "operations take " + percent(GraphTimes(timing).utilization()) + " of a step's time\n";
}

std::string memoryText(const TimingResult& timing, const std::optional<LiveMemory>& predicted) {
    std::string text = "peak of allocations: eager " + formatBytes(timing.eagerPeakBytes) + ", compiled " +
                       formatBytes(timing.compiledPeakBytes);
    if (predicted && predicted->peakBytes > 0)
        text += ", predicted " + formatBytes(predicted->peakBytes) +
                formatted(" (measured / predicted %.3f)",
                          static_cast<double>(timing.compiledPeakBytes) / static_cast<double>(predicted->peakBytes));
    return text + "\n";
}

std::string modulesText(const TimingResult& timing, const CompileRecord& record, std::size_t most) {
    std::vector<ModuleTime> modules;
    const ModuleTime root = moduleTimes(timing, record);
    forEachModule(root, [&](const ModuleTime& module, int depth) {
        if (depth > 0 && module.ownUs() > 0) modules.push_back(module);
    });
    if (modules.empty()) return {};
    std::stable_sort(modules.begin(), modules.end(),
                     [](const ModuleTime& a, const ModuleTime& b) { return a.totalUs() > b.totalUs(); });
    std::vector<std::vector<std::string>> table = {{"slowest modules", "forward", "backward", "share"}};
    for (std::size_t i = 0; i < std::min(modules.size(), most); ++i)
        table.push_back({modules[i].path, formatUs(modules[i].forwardUs), formatUs(modules[i].backwardUs),
                         percent(modules[i].totalUs() / root.totalUs())});
    return "\n" + textTable(table);
}

std::string stepsText(const TimingResult& timing, std::size_t most) {
    std::vector<const StepTime*> steps;
    for (const auto& step : timing.steps) steps.push_back(&step);
    std::stable_sort(steps.begin(), steps.end(), [](auto* a, auto* b) { return a->medianUs > b->medianUs; });
    std::vector<std::vector<std::string>> table = {{"slowest steps", "graph", "op", "median", "quartiles"}};
    for (std::size_t i = 0; i < std::min(steps.size(), most); ++i)
        table.push_back({"%" + steps[i]->name, std::string(name(steps[i]->graph)), steps[i]->op,
                         formatUs(steps[i]->medianUs),
                         formatUs(steps[i]->lowerUs) + " to " + formatUs(steps[i]->upperUs)});
    return "\n" + textTable(table);
}

}  // namespace

std::string formatRatio(const Ratio& ratio) {
    if (ratio.median <= 0) return "-";
    return formatted("%.3f (%.3f to %.3f", ratio.median, ratio.low, ratio.high) + confidenceText(ratio);
}

std::string graphTimeText(const GraphTime& graph) {
    std::string text = std::string(name(graph.graph)) + " graph:";
    if (graph.stepsRatio.median > 0) text += " its steps add up to " + shareText(graph.stepsRatio, 0);
    if (graph.observedRatio.median > 0) text += ", timing them takes " + shareText(graph.observedRatio, 1);
    return text;
}

std::string runsText(int iterations, const std::string& kind) {
    return counted(static_cast<std::size_t>(std::max(0, iterations)), kind);
}

std::string timingText(const TimingResult& timing, const CompileRecord& record, std::size_t most) {
    std::vector<std::vector<std::string>> rows = {
        {iterationsText(timing.iterations, timing.warmUps), "eager", "compiled", "ratio (95 % interval)"},
        row("forward", timing.eagerForwardMs, timing.compiledForwardMs, timing.forwardRatio)};
    if (timing.backward) {
        rows.push_back(row("backward", timing.eagerBackwardMs, timing.compiledBackwardMs, timing.backwardRatio));
        rows.push_back(row("step", timing.eagerStepMs, timing.compiledStepMs, timing.stepRatio));
    }
    return textTable(rows) + graphsText(timing) + memoryText(timing, liveMemory(record)) +
           modulesText(timing, record, most) + stepsText(timing, most);
}

std::string variantTimingText(const VariantTiming& timing) {
    const auto part = [](const std::string& what, const VariantTiming::Part& p) {
        return row(what, p.firstMs, p.secondMs, p.ratio);
    };
    std::vector<std::vector<std::string>> rows = {
        {iterationsText(timing.iterations, timing.warmUps), timing.first, timing.second, "ratio (95 % interval)"},
        part("forward", timing.forwardPart)};
    if (timing.backward) {
        rows.push_back(part("backward", timing.backwardPart));
        rows.push_back(part("step", timing.step));
    }
    return textTable(rows) + "peak of allocations: " + formatBytes(timing.firstPeakBytes) + ", " +
           formatBytes(timing.secondPeakBytes) + "\n";
}

}  // namespace aotscope
