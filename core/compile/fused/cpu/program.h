#pragma once

#include "compile/fused/kernel.h"

#include <cstdint>
#include <vector>

namespace aotscope {

/// One pass over the reduced positions: computes values tile by tile; results of reductions are complete at its end.
struct ReductionSweep {
    std::vector<int> varying;     ///< instructions run for each tile, in order
    std::vector<int> reductions;  ///< accumulate each tile
    std::vector<int> outputs;     ///< written for each tile: indices of Kernel::outputs
    std::vector<int> after;       ///< instructions that depend on the reductions, run once
};

/// The order in which a kernel's instructions run, and where their results are stored.
struct CpuProgram {
    std::vector<int> before;  ///< instructions that depend on numbers and constants alone
    std::vector<ReductionSweep> sweeps;
    std::vector<int> keptOutputs;    ///< written after the sweeps
    std::vector<int> keptSlot;       ///< by instruction: its slot for kept positions, or -1
    std::vector<std::int64_t> slot;  ///< by instruction: its offset in bytes for each element of a tile, or -1
    std::int64_t keptSlots = 0;
    std::int64_t slotBytes = 0;  ///< of all slots, for each element of a tile
};

/// With `again`, each sweep computes everything it needs from the inputs; otherwise it reuses results of earlier
/// sweeps, and a tile must cover all reduced positions.
CpuProgram makeCpuProgram(const Kernel& kernel, bool again);

}  // namespace aotscope
