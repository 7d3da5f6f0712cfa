#include "io/tables/train_tables.h"

#include "io/tables/table_of.h"
#include "io/text_report.h"
#include "support/formatted.h"

#include <cmath>

namespace aotscope {

namespace {

using Cell = Table::Cell;

struct NumberedStep {
    std::size_t number;
    const TrainStep& step;
};

struct TrainRun {
    std::string name;
    TrainFigures figures;
};

std::string growthText(double bytesPer100Steps) {
    return formatBytes(static_cast<std::int64_t>(std::lround(bytesPer100Steps)));
}

Table::Cell lossCell(double loss) { return {loss, lossText(loss)}; }

const std::vector<ColumnOf<NumberedStep>>& trainStepColumns() {
    using Step = NumberedStep;
    constexpr TableUnit bytes = TableUnit::bytes, ms = TableUnit::milliseconds;
    static const std::vector<ColumnOf<Step>> all = {
        {{"step", "step", "from 1"}, [](const Step& at) { return Cell{static_cast<std::int64_t>(at.number)}; }},
        {{"eager.loss", "eager loss", "of PyTorch without a compiler"},
         [](const Step& at) { return lossCell(at.step.eager.loss); }},
        {{"compiled.loss", "compiled loss", "of the forward and backward graphs"},
         [](const Step& at) { return lossCell(at.step.compiled.loss); }},
        {{"eager.ms", "eager", "time of the step", ms}, [](const Step& at) { return Cell{at.step.eager.ms}; }},
        {{"compiled.ms", "compiled", "time of the step", ms}, [](const Step& at) { return Cell{at.step.compiled.ms}; }},
        {{"eager.live_bytes", "", "allocated since the first step began, and not freed after this one", bytes},
         [](const Step& at) { return Cell{at.step.eager.liveBytes}; }},
        {{"compiled.live_bytes", "", "allocated since the first step began, and not freed after this one", bytes},
         [](const Step& at) { return Cell{at.step.compiled.liveBytes}; }},
        {{"resident_bytes", "process", "memory of the whole process after the step", bytes},
         [](const Step& at) { return Cell{at.step.residentBytes}; }},
        {{"eager.live_blocks", "", "number of allocations not yet freed"},
         [](const Step& at) { return Cell{at.step.eager.liveBlocks}; }},
        {{"compiled.live_blocks", "", "number of allocations not yet freed"},
         [](const Step& at) { return Cell{at.step.compiled.liveBlocks}; }}};
    return all;
}

const std::vector<ColumnOf<TrainRun>>& trainRunColumns() {
    using Run = TrainRun;
    constexpr TableUnit bytes = TableUnit::bytes;
    static const std::vector<ColumnOf<Run>> all = {
        {{"run", "run", "eager: PyTorch without a compiler; compiled: the forward and backward graphs"},
         [](const Run& run) { return Cell{run.name}; }},
        {{"first_loss", "first loss", "loss of the first step"},
         [](const Run& run) { return lossCell(run.figures.firstLoss); }},
        {{"last_loss", "last loss", "loss of the last step"},
         [](const Run& run) { return lossCell(run.figures.lastLoss); }},
        {{"steps_per_second", "steps/s", "without the first step, which compiles backward"},
         [](const Run& run) {
             return Cell{run.figures.stepsPerSecond, formatted("%.1f", run.figures.stepsPerSecond)};
         }},
        {{"peak_bytes", "peak", "peak memory of a step, excluding parameters and optimizer state", bytes},
         [](const Run& run) { return Cell{run.figures.peakBytes}; }},
        {{"growth_bytes_per_100_steps", "growth per 100 steps", "of allocated memory", bytes}, [](const Run& run) {
             return Cell{run.figures.growthPer100Steps, growthText(run.figures.growthPer100Steps)};
         }}};
    return all;
}

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
    std::vector<NumberedStep> numbered;
    for (const TrainStep& step : steps) numbered.push_back({numbered.size() + 1, step});
    return tableOf("curve", trainStepColumns(), numbered);
}

Table trainRunTable(const std::vector<TrainStep>& steps) {
    std::vector<TrainRun> runs;
    if (!steps.empty())
        runs = {{"eager", figuresOf(steps, &TrainStep::eager)}, {"compiled", figuresOf(steps, &TrainStep::compiled)}};
    Table table = tableOf("runs", trainRunColumns(), runs);
    table.whenEmpty = "No training run yet.";
    if (!steps.empty()) table.summary = trainSummary(steps);
    return table;
}

}  // namespace aotscope
