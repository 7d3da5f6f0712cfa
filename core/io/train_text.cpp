#include "io/train_text.h"

#include "io/tables/table_text.h"
#include "io/tables/text_table.h"
#include "io/tables/train_tables.h"
#include "io/text_report.h"
#include "record/results/fallback_list.h"
#include "support/formatted.h"
#include "support/json/message_members.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace aotscope {

using nlohmann::json;

namespace {

constexpr std::size_t kShownSteps = 20, kShownRanks = 8;

}  // namespace

std::string trainHeading() {
    return formatted("%8s  %12s  %12s  %11s  %9s  %11s  %10s\n", "step", "eager loss", "compiled", "difference",
                     "eager ms", "compiled ms", "process");
}

std::string trainLine(std::size_t step, const TrainStep& at) {
    return formatted("%8zu  %12.6g  %12.6g  %11.2g  %9.3f  %11.3f  %10s\n", step + 1, at.eager.loss, at.compiled.loss,
                     std::abs(at.eager.loss - at.compiled.loss), at.eager.ms, at.compiled.ms,
                     formatBytes(at.residentBytes).c_str());
}

std::string trainText(const TrainResult& result) {
    Table runs = trainRunTable(result.steps);
    runs.summary.insert(0, "loss: " + result.loss + "; " + std::string(name(result.options.optimizer)) + ", rate " +
                               formatted("%g", result.options.rate) + "\n");
    return tableText(runs) + fallbackText(fallbacksOf(result.compilers));
}

bool isTrainStepShown(std::size_t step, std::size_t steps) {
    const std::size_t every = std::max<std::size_t>(1, steps / kShownSteps);
    return step == 0 || step + 1 == steps || (step + 1) % every == 0;
}

TrainRankRow trainRankRow(const TrainResult& result) {
    const TrainFigures eager = figuresOf(result.steps, &TrainStep::eager),
                       compiled = figuresOf(result.steps, &TrainStep::compiled);
    TrainRankRow row;
    row.cells = {lossText(eager.firstLoss),
                 lossText(eager.lastLoss),
                 lossText(compiled.lastLoss),
                 formatted("%.3g", largestDifference(result.steps).absolute),
                 formatted("%.1f", eager.stepsPerSecond),
                 formatted("%.1f", compiled.stepsPerSecond),
                 formatBytes(compiled.peakBytes)};
    for (std::size_t i = 0; i < result.steps.size(); ++i) {
        if (!isTrainStepShown(i, result.steps.size())) continue;
        row.steps.push_back(std::to_string(i + 1));
        row.losses.push_back(lossText(result.steps[i].compiled.loss));
    }
    row.apart = lossesApart(result);
    return row;
}

json trainRankRowJson(const TrainRankRow& row) {
    return {{"cells", row.cells}, {"steps", row.steps}, {"losses", row.losses}, {"apart", row.apart}};
}

TrainRankRow trainRankRowFrom(const json& document) {
    return {textsOf(document, "cells"), textsOf(document, "steps"), textsOf(document, "losses"),
            textOf(document, "apart")};
}

std::string trainRanksText(const std::vector<TrainRankRow>& ranks) {
    std::vector<std::vector<std::string>> table = {
        {"rank", "first loss", "last loss", "compiled", "largest difference", "steps/s", "compiled steps/s", "peak"}};
    std::vector<std::vector<std::string>> curves = {{"step"}};
    for (const std::string& step : ranks.front().steps) curves.push_back({step});
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        table.push_back({std::to_string(rank)});
        table.back().insert(table.back().end(), ranks[rank].cells.begin(), ranks[rank].cells.end());
        if (rank >= kShownRanks) continue;
        curves[0].push_back("rank " + std::to_string(rank));
        for (std::size_t i = 0; i + 1 < curves.size(); ++i) curves[i + 1].push_back(ranks[rank].losses.at(i));
    }
    const std::size_t shown = std::min(ranks.size(), kShownRanks);
    return textTable(table) + "\nlosses" +
           (shown < ranks.size() ? " of the first " + std::to_string(shown) + " ranks" : std::string()) +
           ", compiled\n" + textTable(curves);
}

std::string lossesApart(const TrainResult& result) {
    constexpr double most = 1e-3;
    const LossDifference difference = largestDifference(result.steps);
    if (difference.relative <= most) return {};
    const TrainStep& step = result.steps[difference.step];
    return "at step " + std::to_string(difference.step + 1) + " the loss is " + lossText(step.compiled.loss) +
           ", eager's " + lossText(step.eager.loss) + ": " + formatted("%.3g", difference.relative * 100) +
           " % apart, more than rounding causes";
}

json trainJson(const TrainResult& result) {
    const LossDifference difference = largestDifference(result.steps);
    json whole = {
        {"optimizer", name(result.options.optimizer)},
        {"rate", result.options.rate},
        {"data", result.options.data.empty() ? "random" : result.options.data.string()},
        {"loss", result.loss},
        {"steps", result.steps.size()},
        {"resident_growth_bytes_per_100_steps", residentGrowthPer100Steps(result.steps)},
        {"largest_difference",
         {{"step", difference.step + 1}, {"absolute", difference.absolute}, {"relative", difference.relative}}},
        {"curve", tableJson(trainStepTable(result.steps))}};
    for (json& run : tableJson(trainRunTable(result.steps))) {
        const std::string which = run["run"].get<std::string>();
        run.erase("run");
        whole[which] = std::move(run);
    }
    return whole;
}

}  // namespace aotscope
