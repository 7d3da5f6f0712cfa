#pragma once

#include "partition/pareto.h"
#include "record/table.h"

namespace aotscope {

/// A row for each budget: saved and peak memory, times, what is communicated if anything is, and measured figures if
/// there are any.
Table paretoTable(const std::vector<BudgetCosts>& rows);

}  // namespace aotscope
