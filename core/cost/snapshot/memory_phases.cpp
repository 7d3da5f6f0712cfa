#include "cost/snapshot/memory_phases.h"

#include <algorithm>

namespace aotscope {

namespace {

/// Without evidence, a stack with frames is code of the forward outside modules, and one without says nothing.
MemoryPhase phaseOf(const MemoryEvent& event, const std::vector<StackEvidence>& stacks) {
    const MemoryPhase phase = stacks[event.stack].phase;
    return phase == MemoryPhase::unknown && event.stack != 0 ? MemoryPhase::forward : phase;
}

/// The positions whose events say where the program is. Events that free may have the stack of the allocation instead
/// of their own (_record_memory_history(context="alloc")), and say nothing then.
std::vector<bool> tellingPositions(std::span<const MemoryEvent> events, const MemoryReplay& replay) {
    std::vector<bool> telling(events.size() + 1);
    for (const Allocation& each : replay.allocations) {
        telling[each.allocated] = each.allocated != 0;
        if (each.freed != kNeverFreed)
            telling[each.freed] = each.allocated != 0 && events[each.freed - 1].stack != each.stack;
    }
    return telling;
}

/// Without an optimizer, a step ends with its backward.
std::vector<MemoryPosition> stepsOf(const MemoryPhases& phases) {
    const auto has = [&](MemoryPhase phase) {
        return std::ranges::count(phases.runs, phase, &MemoryPhases::Run::phase);
    };
    const MemoryPhase last = has(MemoryPhase::optimizer) != 0 ? MemoryPhase::optimizer : MemoryPhase::backward;
    const bool waits = last == MemoryPhase::optimizer && has(MemoryPhase::backward) != 0;
    std::vector<MemoryPosition> steps;
    bool ready = !waits;
    for (std::size_t i = 0; i < phases.runs.size(); ++i) {
        if (phases.runs[i].phase == MemoryPhase::backward) ready = true;
        if (phases.runs[i].phase != last || !ready || i + 1 == phases.runs.size()) continue;
        steps.push_back(phases.runs[i + 1].begin);
        ready = !waits;
    }
    return steps;
}

}  // namespace

std::size_t MemoryPhases::runAt(MemoryPosition position) const {
    const auto next = std::ranges::upper_bound(runs, position, {}, &Run::begin);
    return static_cast<std::size_t>(next - runs.begin()) - 1;
}

std::size_t MemoryPhases::stepAt(MemoryPosition position) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(steps, position) - steps.begin());
}

bool MemoryPhases::hasBackward() const {
    return std::ranges::find(runs, MemoryPhase::backward, &Run::phase) != runs.end();
}

MemoryPhases phasesOf(const MemorySnapshot& snapshot, std::size_t device, const MemoryReplay& replay,
                      const std::vector<StackEvidence>& stacks) {
    MemoryPhases phases;
    phases.runs.push_back({});
    const auto events = snapshot.trace(device);
    const std::vector<bool> telling = tellingPositions(events, replay);
    MemoryPosition position = 0;
    for (const MemoryEvent& event : events) {
        if (!telling[++position]) continue;
        const MemoryPhase phase = phaseOf(event, stacks);
        if (phase != MemoryPhase::unknown && phase != phases.runs.back().phase)
            phases.runs.push_back({position, phase});
    }
    phases.steps = stepsOf(phases);
    return phases;
}

}  // namespace aotscope
