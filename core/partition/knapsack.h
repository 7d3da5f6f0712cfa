#pragma once

#include "record/partition_options.h"

#include <vector>

namespace aotscope {

/// Chooses items of the greatest total value whose weights come to no more than `capacity`. Which of several equally
/// good choices is taken depends on the solver. Source: PyTorch 2.13, _activation_checkpointing/knapsack.py.
std::vector<bool> solveKnapsack(KnapsackSolver solver, const std::vector<double>& weights,
                                const std::vector<double>& values, double capacity);

}  // namespace aotscope
