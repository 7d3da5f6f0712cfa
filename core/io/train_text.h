#pragma once

#include "record/train_result.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace aotscope {

/// The heading of trainLine's columns, and one step; both end with a line break.
std::string trainHeading();
std::string trainLine(std::size_t step, const TrainStep& at);
/// Printed after the last step: both runs, their largest difference, memory.
std::string trainText(const TrainResult& result);

/// {"optimizer", "rate", "loss", "steps", "eager": {...}, "compiled": {...}, "largest_difference": {...}, "curve":
/// [...]}; a loss that is no finite number is null.
nlohmann::json trainJson(const TrainResult& result);
/// What a table of ranks says of one of them, in the order of trainRanksText's columns.
std::vector<std::string> trainRankCells(const TrainResult& result);
/// A row for every rank.
std::string trainRanksText(const std::vector<std::vector<std::string>>& ranks);

/// One line for each step.
std::string trainCsv(const TrainResult& result);

}  // namespace aotscope
