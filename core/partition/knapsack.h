#pragma once

#include "record/partition_options.h"

#include <vector>

namespace aotscope {

/// Chooses items of the greatest total value with a total weight of at most `capacity`. Which of several optimal
/// choices is taken depends on the solver. Source: torch/_functorch/_activation_checkpointing/knapsack.py (PyTorch
/// 2.13).
std::vector<bool> solveKnapsack(KnapsackSolver solver, const std::vector<double>& weights,
                                const std::vector<double>& values, double capacity);

}  // namespace aotscope
