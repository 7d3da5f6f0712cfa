#pragma once

#include "partition/pareto.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace aotscope {

/// A row for each budget: saved and peak memory, times, and measured figures if there are any.
std::string paretoText(const std::vector<BudgetCosts>& rows);
/// [{"budget", "recomputed": [...], ...as variantCostsJson}].
nlohmann::json paretoJson(const std::vector<BudgetCosts>& rows);

}  // namespace aotscope
