#pragma once

#include "partition/plan/step_simulator.h"

namespace aotscope {

/// What memory costs at each moment, in milliseconds per byte.
struct MemoryPrices {
    std::vector<double> slot;     ///< for each slot of the backward through which a block lives
    double border = 0;            ///< for each block that is kept
    std::vector<double> forward;  ///< for kept blocks alive at a position; empty: nothing
};

/// The choice whose recomputed time and memory, at these prices, cost least together: a minimum cut. Lives of blocks
/// are taken from `before`, the choice that this one is a neighbour of. `factors`: of the times of decisions.
StepChoice pricedCut(StepSimulator& simulator, const MemoryPrices& prices, const StepChoice& before,
                     const std::vector<double>& factors);

}  // namespace aotscope
