#pragma once

#include "cost/machine_model.h"
#include "record/compile_record.h"
#include "record/results.h"

#include <nlohmann/json_fwd.hpp>

namespace aotscope {

/// The field "timing" of a report. `machine` estimates what was measured.
nlohmann::json timingJson(const TimingResult& timing, const CompileRecord& record, const MachineModel& machine);
/// The field "against" of a report.
nlohmann::json variantTimingJson(const VariantTiming& timing);

}  // namespace aotscope
