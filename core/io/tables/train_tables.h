#pragma once

#include "record/results/train_result.h"
#include "record/table.h"

#include <string>
#include <vector>

namespace aotscope {

/// "0.693147".
std::string lossText(double loss);

/// A row for each step of a training: losses, times and memory of both runs.
Table trainStepTable(const std::vector<TrainStep>& steps);

/// The steps so far, summarized for each of both runs, and their losses and memory together. No rows without steps.
Table trainRunTable(const std::vector<TrainStep>& steps);

}  // namespace aotscope
