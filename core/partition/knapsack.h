#pragma once

#include "record/options/partition_options.h"

#include <vector>

namespace aotscope {

/// Chooses items of the greatest total value with a total weight of at most `capacity`. Which of several optimal
/// choices is taken depends on the solver. Source: torch/_functorch/_activation_checkpointing/knapsack.py (PyTorch
/// 2.13).
std::vector<bool> solveKnapsack(KnapsackSolver solver, const std::vector<double>& weights,
                                const std::vector<double>& values, double capacity);

/// By how much the chosen items weigh more than `capacity`, to the precision at which they were chosen; 0 if they fit.
/// Only KnapsackSolver::slidingHirschberg may choose too many, as PyTorch's does.
double knapsackExcess(KnapsackSolver solver, const std::vector<double>& weights, const std::vector<bool>& taken,
                      double capacity);

}  // namespace aotscope
