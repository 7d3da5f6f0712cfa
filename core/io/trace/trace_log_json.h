#pragma once

#include "record/compile_story.h"
#include "record/trace_log.h"

#include <nlohmann/json_fwd.hpp>

namespace aotscope {

/// A trace with everything known about its compilations. `stories`: parallel to them.
nlohmann::json traceLogJson(const TraceLog& log, const std::vector<CompileStory>& stories);

}  // namespace aotscope
