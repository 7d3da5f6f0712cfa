#pragma once

#include "partition/max_flow.h"
#include "partition/plan/step_simulator.h"

namespace aotscope {

/// What memory costs at each moment, in milliseconds per byte.
struct MemoryPrices {
    std::vector<double> slot;     ///< for each slot of the backward through which a block lives
    double border = 0;            ///< for each block that is kept
    std::vector<double> forward;  ///< for kept blocks alive at a position; empty: nothing
};

/// Choices for prices of memory: minimum cuts of one network.
class PricedCut {
public:
    explicit PricedCut(const StepProblem& model);

    /// The choice whose recomputed time and memory, at these prices, cost least together. Lives of blocks are taken
    /// from `before`, the choice that this one is a neighbour of. `factors`: of the times of decisions.
    StepChoice at(StepSimulator& simulator, const MemoryPrices& prices, const StepChoice& before,
                  const std::vector<double>& factors);

private:
    /// An edge whose capacity is a price.
    struct PricedEdge {
        int edge = 0;
        std::size_t of = 0;  ///< decision or block
    };

    FlowNetwork network_;
    int source_ = 0, sink_ = 0;
    std::size_t decisions_ = 0;
    std::vector<PricedEdge> again_, keep_;  ///< of decisions that run again, of blocks that are kept
};

}  // namespace aotscope
