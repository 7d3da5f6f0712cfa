#pragma once

#include "record/compile_record.h"
#include "record/options/options.h"

#include <nlohmann/json_fwd.hpp>

namespace aotscope {

/// The decisions and results of a run by which runs are compared, without its graphs and measurements.
nlohmann::json factsOf(const Options& options, const CompileRecord& record);

}  // namespace aotscope
