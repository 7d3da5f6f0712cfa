#pragma once

#include "models/table_content.h"
#include "record/train_result.h"

namespace aotscope {

/// What the steps of a training so far say of both runs.
TableContent trainTable(const std::vector<TrainStep>& steps);

}  // namespace aotscope
