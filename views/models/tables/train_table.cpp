#include "models/tables/train_table.h"

#include "models/tables/table_cells.h"

#include <cmath>

namespace aotscope {

namespace {

using Cell = TableContent::Cell;

Cell loss(double value) { return {QString::number(value, 'g', 6), value}; }
Cell roundedBytesCell(double value) {
    const auto whole = static_cast<std::int64_t>(std::lround(value));
    return {toQString(formatBytes(whole)), static_cast<qint64>(whole)};
}

TableContent::Row row(const QString& run, const TrainFigures& figures) {
    return {{{run, {}},
             loss(figures.firstLoss),
             loss(figures.lastLoss),
             {QString::number(figures.stepsPerSecond, 'f', 1), figures.stepsPerSecond},
             roundedBytesCell(static_cast<double>(figures.peakBytes)),
             roundedBytesCell(figures.growthPer100Steps)},
            kNoNode,
            GraphKind::joint};
}

}  // namespace

TableContent trainTable(const std::vector<TrainStep>& steps) {
    TableContent t;
    t.whenEmpty = tr("No training run yet.");
    t.columns = {{tr("Run"), tr("eager: PyTorch without a compiler; compiled: the forward and backward graphs"), false},
                 {tr("First loss"), tr("loss of the first step"), true},
                 {tr("Last loss"), tr("loss of the last step"), true},
                 {tr("Steps/s"), tr("without the first step, which compiles backward"), true},
                 {tr("Peak"), tr("peak memory of a step, excluding parameters and optimizer state"), true},
                 {tr("Growth"), tr("growth of allocated memory per 100 steps"), true}};
    if (steps.empty()) return t;
    t.rows = {row(tr("eager"), figuresOf(steps, &TrainStep::eager)),
              row(tr("compiled"), figuresOf(steps, &TrainStep::compiled))};
    const LossDifference difference = largestDifference(steps);
    const QString process = tr("process %1, growing by %2 per 100 steps")
                                .arg(toQString(formatBytes(steps.back().residentBytes)),
                                     roundedBytesCell(residentGrowthPer100Steps(steps)).text);
    t.summary = (difference.relative == 0 ? tr("losses are equal; ")
                                          : tr("losses differ by at most %1 (%2 relative) at step %3; ")
                                                .arg(difference.absolute, 0, 'g', 3)
                                                .arg(difference.relative, 0, 'g', 3)
                                                .arg(difference.step + 1)) +
                process;
    return t;
}

}  // namespace aotscope
