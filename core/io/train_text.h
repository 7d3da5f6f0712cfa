#pragma once

#include "record/results/train_result.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace aotscope {

/// The heading of trainLine's columns, and one step; both end with a line break.
std::string trainHeading();
std::string trainLine(std::size_t step, const TrainStep& at);
/// Printed after the last step: both runs, their largest difference, and memory.
std::string trainText(const TrainResult& result);

/// {"optimizer", "rate", "loss", "steps", "eager": {...}, "compiled": {...}, "largest_difference": {...}, "curve":
/// [...]}; a loss that is not finite is null.
nlohmann::json trainJson(const TrainResult& result);
/// Whether step `step` of `steps` is printed: in a long training, only every n-th one is.
bool isTrainStepShown(std::size_t step, std::size_t steps);

/// A rank's row in the tables of ranks.
struct TrainRankRow {
    std::vector<std::string> cells, steps, losses;  ///< the steps shown, and their compiled losses
    std::string apart;                              ///< from lossesApart()
};
TrainRankRow trainRankRow(const TrainResult& result);
/// For ranks in other processes. Reading throws nlohmann::json::exception.
nlohmann::json trainRankRowJson(const TrainRankRow& row);
TrainRankRow trainRankRowFrom(const nlohmann::json& document);
/// A row for every rank, and the losses of the first ranks step by step.
std::string trainRanksText(const std::vector<TrainRankRow>& ranks);

/// Where the losses of both runs differ by more than rounding explains, which grows from step to step: a sentence;
/// empty: nowhere.
std::string lossesApart(const TrainResult& result);

}  // namespace aotscope
