#pragma once

#include "record/compile_story.h"

#include <nlohmann/json_fwd.hpp>

namespace aotscope {

/// Adds `compilation_metrics` and the like to `story`; `restarts`: why Dynamo restarted.
void readMetrics(const nlohmann::json& data, bool backward, CompileStory& story, std::vector<std::string>& restarts);

}  // namespace aotscope
