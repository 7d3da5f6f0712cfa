#pragma once

#include "partition/pareto.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace aotscope {

/// A row for each budget: saved and peak memory, time, and what was measured, if anything was.
std::string paretoText(const std::vector<BudgetCosts>& rows);
/// [{"budget", "recomputed": [...], ...as variantCostsJson}].
nlohmann::json paretoJson(const std::vector<BudgetCosts>& rows);

}  // namespace aotscope
