#include "io/tables/train_tables.h"

#include "support/formatted.h"

#include <cmath>

namespace aotscope {

namespace {

using Cell = Table::Cell;

std::string growthText(double bytesPer100Steps) {
    return formatBytes(static_cast<std::int64_t>(std::lround(bytesPer100Steps)));
}

Table::Cell lossCell(double loss) { return {loss, lossText(loss)}; }

std::string trainSummary(const std::vector<TrainStep>& steps) {
    const LossDifference difference = largestDifference(steps);
    std::string text = difference.relative == 0
                           ? "the losses are equal at every step\n"
                           : "largest difference of the losses: " + formatted("%.3g", difference.absolute) + " (" +
                                 formatted("%.3g", difference.relative) + " relative) at step " +
                                 std::to_string(difference.step + 1) + "\n";
    return text + "memory of the process: " + formatBytes(steps.back().residentBytes) + ", growing by " +
           growthText(residentGrowthPer100Steps(steps)) + " per 100 steps\n";
}

}  // namespace

std::string lossText(double loss) { return formatted("%.6g", loss); }

Table trainStepTable(const std::vector<TrainStep>& steps) {
    constexpr TableUnit bytes = TableUnit::bytes, ms = TableUnit::milliseconds;
    Table table{
        "curve",
        {{"step", "step", "from 1"},
         {"eager.loss", "eager loss", "of PyTorch without a compiler"},
         {"compiled.loss", "compiled loss", "of the forward and backward graphs"},
         {"eager.ms", "eager", "time of the step", ms},
         {"compiled.ms", "compiled", "time of the step", ms},
         {"eager.live_bytes", "", "allocated since the first step began, and not freed after this one", bytes},
         {"compiled.live_bytes", "", "allocated since the first step began, and not freed after this one", bytes},
         {"resident_bytes", "process", "memory of the whole process after the step", bytes},
         {"eager.live_blocks", "", "number of allocations not yet freed"},
         {"compiled.live_blocks", "", "number of allocations not yet freed"}}};
    for (const auto& [eager, compiled, residentBytes] : steps)
        table.add(table.rows.size() + 1, lossCell(eager.loss), lossCell(compiled.loss), eager.ms, compiled.ms,
                  eager.liveBytes, compiled.liveBytes, residentBytes, eager.liveBlocks, compiled.liveBlocks);
    return table;
}

Table trainRunTable(const std::vector<TrainStep>& steps) {
    constexpr TableUnit bytes = TableUnit::bytes;
    Table table{"runs",
                {{"run", "run", "eager: PyTorch without a compiler; compiled: the forward and backward graphs"},
                 {"first_loss", "first loss", "loss of the first step"},
                 {"last_loss", "last loss", "loss of the last step"},
                 {"steps_per_second", "steps/s", "without the first step, which compiles backward"},
                 {"peak_bytes", "peak", "peak memory of a step, excluding parameters and optimizer state", bytes},
                 {"growth_bytes_per_100_steps", "growth per 100 steps", "of allocated memory", bytes}}};
    table.whenEmpty = "No training run yet.";
    if (steps.empty()) return table;
    for (const auto& [run, side] :
         {std::pair{"eager", &TrainStep::eager}, std::pair{"compiled", &TrainStep::compiled}}) {
        const TrainFigures figures = figuresOf(steps, side);
        table.add(run, lossCell(figures.firstLoss), lossCell(figures.lastLoss),
                  Cell(figures.stepsPerSecond, formatted("%.1f", figures.stepsPerSecond)), figures.peakBytes,
                  Cell(figures.growthPer100Steps, growthText(figures.growthPer100Steps)));
    }
    table.summary = trainSummary(steps);
    return table;
}

}  // namespace aotscope
