#pragma once

#include "cost/variant_costs.h"
#include "partition/what_if.h"

#include <vector>

namespace aotscope {

/// The partition at one memory budget, and its costs.
struct BudgetCosts {
    double budget = 1;
    std::shared_ptr<const Partition> partition;
    VariantCosts costs;
};

/// `points` evenly spaced budgets from 0 to 1.
std::vector<double> evenBudgets(int points);

/// All other options are those of `options`.
std::vector<BudgetCosts> budgetCosts(const PartitionWhatIf& whatIf, const std::vector<double>& budgets,
                                     const PartitionOptions& options, const FunctionMetadata& metadata,
                                     const NodeTimes& times, const Progress& progress);

/// Whether both save and recompute the same values.
bool sameChoice(const Partition& a, const Partition& b);

}  // namespace aotscope
