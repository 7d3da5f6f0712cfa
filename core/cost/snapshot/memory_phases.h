#pragma once

#include "cost/snapshot/memory_replay.h"
#include "cost/snapshot/stack_evidence.h"

#include <vector>

namespace aotscope {

/// The phases that a history goes through, and its training steps.
struct MemoryPhases {
    /// Until the next one begins. Code outside modules belongs to the forward.
    struct Run {
        MemoryPosition begin = 0;
        MemoryPhase phase = MemoryPhase::unknown;
    };
    std::vector<Run> runs;              ///< the first begins at 0
    std::vector<MemoryPosition> steps;  ///< where each step ends: the first update after a backward

    /// The index of the run at this position.
    std::size_t runAt(MemoryPosition position) const;
    /// How many steps have ended there.
    std::size_t stepAt(MemoryPosition position) const;
    MemoryPhase phaseAt(MemoryPosition position) const { return runs[runAt(position)].phase; }
    bool hasBackward() const;
};

MemoryPhases phasesOf(const MemorySnapshot& snapshot, std::size_t device, const MemoryReplay& replay,
                      const std::vector<StackEvidence>& stacks);

}  // namespace aotscope
