#pragma once

#include "partition/pareto.h"
#include "record/table.h"

namespace aotscope {

/// A row for each budget or plan: saved and peak memory, times, communication if any, and measured figures if any.
Table paretoTable(const std::vector<BudgetCosts>& rows);

}  // namespace aotscope
