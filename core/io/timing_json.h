#pragma once

#include "cost/machine_model.h"
#include "record/compile_record.h"
#include "record/results/results.h"

#include <nlohmann/json_fwd.hpp>

namespace aotscope {

/// The report's "timing". `machine` provides the estimates beside the measured times.
nlohmann::json timingJson(const TimingResult& timing, const CompileRecord& record, const MachineModel& machine);
/// The report's "against".
nlohmann::json variantTimingJson(const VariantTiming& timing);

}  // namespace aotscope
