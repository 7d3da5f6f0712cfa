#include "io/timing_text.h"

#include "cost/live_memory.h"
#include "io/tables/step_table.h"
#include "io/tables/table_text.h"
#include "io/tables/text_table.h"
#include "io/timing_notes.h"
#include "record/results/graph_times.h"
#include "support/formatted.h"
#include "support/names.h"

#include <algorithm>
#include <functional>
#include <set>

namespace aotscope {

namespace {

std::string percent(double share) { return formatted("%.1f %%", 100 * share); }

constexpr double kUsual = 0.95;

std::string confidenceText(const Ratio& ratio) {
    return ratio.confidence < kUsual ? formatted(", %.0f %% sure)", 100 * ratio.confidence) : ")";
}

/// `ratio` as a percentage, minus `without`.
std::string shareText(const Ratio& ratio, double without) {
    return percent(ratio.median - without) +
           formatted(" (%.1f to %.1f", 100 * (ratio.low - without), 100 * (ratio.high - without)) +
           confidenceText(ratio);
}

std::string spreadText(const Spread& ms) {
    return formatDuration(ms.median) + " (" + formatDuration(ms.lower) + " to " + formatDuration(ms.upper) + ")";
}

std::string iterationsText(int iterations, int warmUps) {
    return "median (quartiles) of " + std::to_string(iterations) +
           (warmUps == 1 ? "" : ", " + counted(static_cast<std::size_t>(warmUps), "warm-up"));
}

/// `heading`: the names of the first column and of the two runs.
std::string partsText(std::vector<std::string> heading, const TimedParts& parts) {
    heading.emplace_back("ratio (95 % interval)");
    std::vector<std::vector<std::string>> rows = {std::move(heading)};
    for (const auto& [what, part] : parts)
        rows.push_back({what, spreadText(part.firstMs), spreadText(part.secondMs), formatRatio(part.ratio)});
    return textTable(rows);
}

TimedParts namedParts(VariantTiming::Part forward, VariantTiming::Part backward, VariantTiming::Part step, bool both) {
    TimedParts parts = {{"forward", std::move(forward)}};
    if (both) parts.insert(parts.end(), {{"backward", std::move(backward)}, {"step", std::move(step)}});
    return parts;
}

std::string loadText(const MachineLoad& load) {
    const std::string note = disturbanceNote(load);
    return note.empty() ? note : note + "\n";
}

std::string notesText(const std::vector<std::string>& notes) {
    std::string text;
    for (const std::string& note : notes) text += "note: " + note + "\n";
    return text;
}

std::string graphTimesText(const TimingResult& timing) {
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

/// The `most` rows with the largest numbers in column `by`, restricted to the given columns.
std::string slowestText(Table table, std::string_view by, std::size_t most, const std::set<std::string_view>& shown) {
    const auto column = std::ranges::find(table.columns, by, &Table::Column::key) - table.columns.begin();
    std::ranges::stable_sort(table.rows, std::greater(), [&](const Table::Row& row) {
        return std::get<double>(row.cells[static_cast<std::size_t>(column)].value);
    });
    if (table.rows.size() > most)
        table.rows.erase(table.rows.begin() + static_cast<std::ptrdiff_t>(most), table.rows.end());
    for (Table::Column& each : table.columns)
        if (!shown.contains(each.key)) each.title.clear();
    return "\nslowest " + table.key + "\n" + tableText(table);
}

std::string modulesText(const TimingResult& timing, const CompileRecord& record, std::size_t most) {
    Table table = moduleTable(timing, record);
    std::erase_if(table.rows, [](const Table::Row& row) {  // the whole model, and modules that only contain others
        return std::get<std::string>(row.cells[0].value).empty() ||
               std::get<double>(row.cells[3].value) + std::get<double>(row.cells[4].value) <= 0;
    });
    if (table.rows.empty()) return {};
    return slowestText(std::move(table), "share", most, {"module", "forward_us", "backward_us", "share"});
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

TimedParts partsOf(const TimingResult& timing) {
    return namedParts({timing.eagerForwardMs, timing.compiledForwardMs, timing.forwardRatio},
                      {timing.eagerBackwardMs, timing.compiledBackwardMs, timing.backwardRatio},
                      {timing.eagerStepMs, timing.compiledStepMs, timing.stepRatio}, timing.backward);
}

TimedParts partsOf(const VariantTiming& timing) {
    return namedParts(timing.forwardPart, timing.backwardPart, timing.step, timing.backward);
}

std::string timingText(const TimingResult& timing, const CompileRecord& record, std::size_t most) {
    return partsText({iterationsText(timing.iterations, timing.warmUps), "eager", "compiled"}, partsOf(timing)) +
           loadText(timing.load) + graphTimesText(timing) + memoryText(timing, liveMemory(record)) +
           notesText(timingNotes(timing, record)) + modulesText(timing, record, most) +
           slowestText(stepTable(timing, record, nullptr), "median_us", most,
                       {"graph", "node", "op", "median_us", "lower_quartile_us"});
}

std::string variantTimingText(const VariantTiming& timing) {
    return partsText({iterationsText(timing.iterations, timing.warmUps), timing.first, timing.second},
                     partsOf(timing)) +
           loadText(timing.load) + "peak of allocations: " + formatBytes(timing.firstPeakBytes) + ", " +
           formatBytes(timing.secondPeakBytes) + "\n" + notesText(timingNotes(timing));
}

}  // namespace aotscope
