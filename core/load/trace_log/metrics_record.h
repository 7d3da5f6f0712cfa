#pragma once

#include "record/compile_story.h"

#include <nlohmann/json_fwd.hpp>

namespace aotscope {

/// Takes what `compilation_metrics` and its like say into `story`; `restarts`: why Dynamo started again.
void readMetrics(const nlohmann::json& data, bool backward, CompileStory& story, std::vector<std::string>& restarts);

}  // namespace aotscope
