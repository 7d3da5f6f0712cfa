#pragma once

#include "record/options/partition_options.h"

#include <vector>

namespace aotscope {

/// Chooses items of the greatest total value with a total weight of at most `capacity`. The choice among several
/// optimal ones depends on the solver. Source: torch/_functorch/_activation_checkpointing/knapsack.py (PyTorch 2.13).
std::vector<bool> solveKnapsack(KnapsackSolver solver, const std::vector<double>& weights,
                                const std::vector<double>& values, double capacity);

/// By how much the chosen items exceed `capacity`, at the solver's precision; 0 if they fit. Only
/// KnapsackSolver::slidingHirschberg may choose too many, like PyTorch's.
double knapsackExcess(KnapsackSolver solver, const std::vector<double>& weights, const std::vector<bool>& taken,
                      double capacity);

}  // namespace aotscope
