#pragma once

#include "cost/live_memory.h"
#include "cost/variant_costs.h"

#include <nlohmann/json_fwd.hpp>

namespace aotscope {

/// {"given_bytes", "saved_bytes", "peak_bytes", "arena": {...}, "peak_at", "live_at_peak": [...], "curve": [...]}.
nlohmann::json liveMemoryJson(const LiveMemory& memory);

/// Conversion of measured costs. Reading throws nlohmann::json::exception.
nlohmann::json measuredCostsJson(const VariantCosts::Measured& costs);
VariantCosts::Measured measuredCostsFrom(const nlohmann::json& document);
/// The results of the calibration.
nlohmann::json machineJson(const MachineModel& machine);

}  // namespace aotscope
