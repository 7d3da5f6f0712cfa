#include "cost/snapshot/memory_category.h"

#include "support/enumerators.h"

#include <array>
#include <utility>

namespace aotscope {

namespace {

/// What programs call them in their metadata, and PyTorch where it makes a snapshot of a profile.
constexpr std::array<std::pair<std::string_view, MemoryCategory>, 13> kNamedCategories = {{
    {"parameter", MemoryCategory::parameter},
    {"parameters", MemoryCategory::parameter},
    {"gradient", MemoryCategory::gradient},
    {"gradients", MemoryCategory::gradient},
    {"optimizer_state", MemoryCategory::optimizerState},
    {"optimizer state", MemoryCategory::optimizerState},
    {"optimizer", MemoryCategory::optimizerState},
    {"activation", MemoryCategory::activation},
    {"activations", MemoryCategory::activation},
    {"temporary", MemoryCategory::temporary},
    {"autograd_detail", MemoryCategory::temporary},
    {"workspace", MemoryCategory::workspace},
    {"unknown", MemoryCategory::unknown},
}};

}  // namespace

std::string_view name(MemoryCategory category) { return spelled(category); }

MemoryCategories::MemoryCategories(const MemorySnapshot& snapshot, const MemoryReplay& replay,
                                   const std::vector<StackEvidence>& stacks, const MemoryPhases& phases, bool failed)
    : snapshot_(snapshot), replay_(replay), stacks_(stacks), phases_(phases), failed_(failed) {
    for (const Allocation& each : replay.allocations) {
        if (each.allocated == 0 || each.freed == kNeverFreed) continue;
        if (phases.runAt(each.allocated) + 1 == phases.runs.size()) continue;  // what it keeps is not known yet
        Fates& fates = fates_[each.stack];
        if (isTemporary(each)) ++fates.freedAtOnce;
        else if (phases.phaseAt(each.freed) == MemoryPhase::backward) ++fates.freedInBackward;
        else ++fates.kept;
    }
}

MemoryCategory MemoryCategories::of(const Allocation& allocation) const {
    const StackEvidence& stack = stacks_[allocation.stack];
    if (const auto said = named(allocation.metadata)) return *said;
    if (stack.workspace) return MemoryCategory::workspace;
    if (stack.accumulates) return MemoryCategory::gradient;
    if (isTemporary(allocation)) return MemoryCategory::temporary;
    return ofHeld(allocation);
}

/// Freed in the run of the phase that made it; what is not freed at the end, if most at the same place were.
bool MemoryCategories::isTemporary(const Allocation& allocation) const {
    if (allocation.allocated == 0) return false;
    const std::size_t run = phases_.runAt(allocation.allocated);
    if (allocation.freed != kNeverFreed) return phases_.runAt(allocation.freed) == run;
    if (run + 1 != phases_.runs.size()) return false;
    const Fates* const fates = fatesOf(allocation.stack);
    return fates && fates->freedAtOnce > fates->freedInBackward + fates->kept;
}

MemoryCategory MemoryCategories::ofHeld(const Allocation& allocation) const {
    switch (stacks_[allocation.stack].phase) {
        case MemoryPhase::creation: return MemoryCategory::parameter;
        case MemoryPhase::optimizer: return MemoryCategory::optimizerState;
        case MemoryPhase::backward:
            return allocation.stack == 0 && allocation.allocated == 0 ? MemoryCategory::unknown
                                                                      : MemoryCategory::gradient;
        case MemoryPhase::forward: return ofForward(allocation);
        case MemoryPhase::unknown: return ofScript(allocation);
    }
    return MemoryCategory::unknown;
}

/// Activations do not outlive the step after theirs.
MemoryCategory MemoryCategories::ofForward(const Allocation& allocation) const {
    if (!phases_.hasBackward() && !failed_) return MemoryCategory::unknown;
    const MemoryPosition end = allocation.freed == kNeverFreed ? replay_.end() : allocation.freed;
    const bool stays = allocation.allocated == 0 || phases_.stepAt(end) > phases_.stepAt(allocation.allocated) + 1;
    return stays ? MemoryCategory::unknown : MemoryCategory::activation;
}

/// Code outside modules makes activations, too: those that the backward frees.
MemoryCategory MemoryCategories::ofScript(const Allocation& allocation) const {
    if (allocation.freed != kNeverFreed)
        return allocation.stack != 0 && phases_.phaseAt(allocation.freed) == MemoryPhase::backward
                   ? MemoryCategory::activation
                   : MemoryCategory::unknown;
    const Fates* const fates = fatesOf(allocation.stack);
    return fates && allocation.stack != 0 && fates->freedInBackward > fates->freedAtOnce + fates->kept
               ? MemoryCategory::activation
               : MemoryCategory::unknown;
}

const MemoryCategories::Fates* MemoryCategories::fatesOf(SnapshotStack stack) const {
    const auto it = fates_.find(stack);
    return it == fates_.end() ? nullptr : &it->second;
}

std::optional<MemoryCategory> MemoryCategories::named(SnapshotText metadata) const {
    if (metadata == 0) return std::nullopt;
    for (const auto& [text, category] : kNamedCategories)
        if (snapshot_.texts[metadata] == text) return category;
    return std::nullopt;
}

}  // namespace aotscope
