#pragma once

#include "compile/fused/kernel.h"

#include <cstdint>
#include <vector>

namespace aotscope {

/// One time through the reduced positions: values are computed tile by tile, results of reductions are there after it.
struct ReductionSweep {
    std::vector<int> varying;     ///< instructions run for each tile, in order
    std::vector<int> reductions;  ///< take up each tile
    std::vector<int> outputs;     ///< written for each tile: indices of Kernel::outputs
    std::vector<int> after;       ///< instructions that follow from the reductions, run once
};

/// In which order a kernel's instructions run, and where their results are kept.
struct CpuProgram {
    std::vector<int> before;  ///< instructions that follow from numbers and constants alone
    std::vector<ReductionSweep> sweeps;
    std::vector<int> keptOutputs;    ///< written after the sweeps
    std::vector<int> keptSlot;       ///< by instruction: which of the places for values of kept positions; or -1
    std::vector<std::int64_t> slot;  ///< by instruction: its place in bytes for each element of a tile; or -1
    std::int64_t keptSlots = 0;
    std::int64_t slotBytes = 0;  ///< of all places, for each element of a tile
};

/// With `again`, each sweep computes all it needs from the inputs; else results of earlier sweeps are still there, for
/// which a tile has to cover all reduced positions.
CpuProgram makeCpuProgram(const Kernel& kernel, bool again);

}  // namespace aotscope
