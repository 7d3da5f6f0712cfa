#include "io/timing_notes.h"

#include "cost/live_memory.h"
#include "record/results/graph_times.h"
#include "support/formatted.h"
#include "support/names.h"

#include <algorithm>

namespace aotscope {

namespace {

/// Smaller differences are left to the table.
constexpr double kNotable = 1.05;
/// What was taken apart into so many times as many steps, none of which takes much of the time, is slow for that
/// reason.
constexpr std::size_t kManyTimes = 8;
constexpr double kMuch = 0.2;
/// Steps that take less on average are mostly the cost of starting an operation.
constexpr double kShortStepUs = 10;

std::string percentMore(double ratio) { return formatted("%.0f %%", 100 * (ratio - 1)); }

const Ratio& wholeRatio(const TimingResult& timing) { return timing.backward ? timing.stepRatio : timing.forwardRatio; }

/// Where the time goes: into many short steps, or into a long one.
std::string whereText(const TimingResult& timing, const CompileRecord& record) {
    if (timing.steps.empty()) return {};
    const GraphTimes times(timing);
    double sum = 0;
    for (const StepTime& step : timing.steps) sum += times.stepUs(step);
    const auto slowest =
        std::ranges::max_element(timing.steps, {}, [&](const StepTime& step) { return times.stepUs(step); });
    const double share = times.stepUs(*slowest) / times.totalUs(),
                 each = sum / static_cast<double>(timing.steps.size());
    const auto source = record.graph(GraphKind::source);
    if (source && share < kMuch && timing.steps.size() >= kManyTimes * source->callCount())
        return "it runs " + counted(timing.steps.size(), "step") + " of " + formatDuration(each / 1000) +
               " on average" + (each < kShortStepUs ? ", much of which is the cost of starting each" : "") +
               "; the model has " + counted(source->callCount(), "operation") +
               ", for which eager may have kernels of its own";
    return formatted("%.0f %% of its time is in '%%", 100 * share) + slowest->name + "' (" + slowest->op + ") of the " +
           std::string(name(slowest->graph)) + " graph";
}

/// The compiler of all graphs; empty if they have several.
std::string compilerOf(const TimingResult& timing) {
    const auto& compilers = timing.compilers;
    const bool isOne = !compilers.empty() && std::ranges::all_of(compilers, [&](const CompilerUse& use) {
        return use.used == compilers.front().used;
    });
    return isOne ? compilers.front().used : "";
}

/// ", while '%mm' of the backward runs"
std::string atPeakText(const CompileRecord& record) {
    const auto predicted = liveMemory(record);
    if (!predicted || predicted->curve.empty()) return {};
    const MemoryPoint& peak = predicted->curve[predicted->peak];
    if (peak.node == kNoNode) return ", between forward and backward";
    return ", while '%" + peak.name + "' of the " + std::string(name(peak.stage)) + " runs";
}

std::string slowerText(const TimingResult& timing, const CompileRecord& record) {
    const std::string compiler = compilerOf(timing), where = whereText(timing, record);
    std::string text = "compiled" + (compiler.empty() ? "" : " by '" + compiler + "'") + ", the model takes " +
                       percentMore(wholeRatio(timing).median) + " longer than eager";
    if (!where.empty()) text += ": " + where;
    if (compiler == "fused" || compiler == "interpreter")
        text += std::string(R"(; --against "--compiler )") + (compiler == "fused" ? "interpreter" : "fused") +
                R"(" compares with the other compiler)";
    return text;
}

}  // namespace

std::vector<std::string> timingNotes(const TimingResult& timing, const CompileRecord& record) {
    std::vector<std::string> notes;
    if (wholeRatio(timing).low > kNotable) notes.push_back(slowerText(timing, record));
    const double memory = timing.eagerPeakBytes > 0 ? static_cast<double>(timing.compiledPeakBytes) /
                                                          static_cast<double>(timing.eagerPeakBytes)
                                                    : 1;
    if (memory > kNotable)
        notes.push_back("compiled, the model needs " + percentMore(memory) + " more memory than eager at its peak" +
                        atPeakText(record));
    return notes;
}

std::vector<std::string> timingNotes(const VariantTiming& timing) {
    const Ratio& ratio = timing.backward ? timing.step.ratio : timing.forwardPart.ratio;
    if (ratio.median <= 0 || (ratio.low <= 1 && ratio.high >= 1)) return {};
    const bool isSecond = ratio.high < 1;
    return {(isSecond ? timing.second : timing.first) + " is faster: " + (isSecond ? timing.first : timing.second) +
            " takes " + percentMore(isSecond ? 1 / ratio.median : ratio.median) + " longer"};
}

}  // namespace aotscope
