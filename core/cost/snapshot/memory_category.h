#pragma once

#include "cost/snapshot/memory_phases.h"

#include <optional>
#include <string_view>
#include <unordered_map>

namespace aotscope {

/// What memory is for.
enum class MemoryCategory : std::uint8_t {
    parameter,       ///< of modules, and their buffers
    gradient,        ///< made by a backward, and held beyond it
    optimizerState,  ///< made by an optimizer, and held beyond its step
    activation,      ///< made by a forward, and held for the backward
    temporary,       ///< freed in the phase that made it
    workspace,       ///< of libraries such as cuBLAS
    unknown,         ///< no evidence
};
/// "optimizer state".
std::string_view name(MemoryCategory category);

/// Decides by evidence only: what the program has said with torch.cuda.memory._set_memory_metadata, the frames of the
/// allocation, and in which phase it was freed. What is not freed yet is judged by what earlier steps did at the same
/// place.
class MemoryCategories {
public:
    /// The arguments must outlive it. `failed`: the history ends where memory ran out.
    MemoryCategories(const MemorySnapshot& snapshot, const MemoryReplay& replay,
                     const std::vector<StackEvidence>& stacks, const MemoryPhases& phases, bool failed);

    MemoryCategory of(const Allocation& allocation) const;

private:
    /// What has become of the allocations of a stack, in numbers.
    struct Fates {
        std::size_t freedAtOnce = 0, freedInBackward = 0, kept = 0;
    };

    bool isTemporary(const Allocation& allocation) const;
    MemoryCategory ofHeld(const Allocation& allocation) const;
    MemoryCategory ofScript(const Allocation& allocation) const;
    MemoryCategory ofForward(const Allocation& allocation) const;
    const Fates* fatesOf(SnapshotStack stack) const;
    std::optional<MemoryCategory> named(SnapshotText metadata) const;

    const MemorySnapshot& snapshot_;
    const MemoryReplay& replay_;
    const std::vector<StackEvidence>& stacks_;
    const MemoryPhases& phases_;
    bool failed_;
    std::unordered_map<SnapshotStack, Fates> fates_;
};

}  // namespace aotscope
