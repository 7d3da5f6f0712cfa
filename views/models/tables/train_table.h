#pragma once

#include "models/tables/table_content.h"
#include "record/results/train_result.h"

namespace aotscope {

/// What the steps of a training so far say of both runs.
TableContent trainTable(const std::vector<TrainStep>& steps);

}  // namespace aotscope
