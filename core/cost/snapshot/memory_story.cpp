#include "cost/snapshot/memory_story.h"

#include "support/enumerators.h"
#include "support/error.h"

#include <algorithm>
#include <map>
#include <set>

namespace aotscope {

namespace {

/// A leak is seen in so many steps, and is older than the last ones.
constexpr std::size_t kLeakingSteps = 3;
constexpr std::size_t kYoungSteps = 2;

std::optional<MemoryPosition> lastFailure(const MemorySnapshot& snapshot, std::size_t device) {
    const auto events = snapshot.trace(device);
    for (std::size_t i = events.size(); i-- > 0;)
        if (events[i].action == MemoryAction::outOfMemory) return static_cast<MemoryPosition>(i + 1);
    return std::nullopt;
}

MemoryPosition positionOf(MemoryMoment moment, const MemoryReplay& replay, std::optional<MemoryPosition> failure) {
    if (moment == MemoryMoment::end) return replay.end();
    if (moment == MemoryMoment::oom) return *failure;
    return static_cast<MemoryPosition>(std::ranges::max_element(replay.allocated) - replay.allocated.begin());
}

std::vector<HeldMemory> heldAt(const MemoryStory& story, bool failed) {
    const MemoryCategories categories(*story.snapshot, story.replay, story.stacks, story.phases, failed);
    std::vector<HeldMemory> held;
    for (const Allocation& each : story.replay.allocations)
        if (each.isHeldAt(story.position)) held.push_back({each, categories.of(each), story.stacks[each.stack].line});
    std::ranges::stable_sort(
        held, [](const HeldMemory& a, const HeldMemory& b) { return a.allocation.size > b.allocation.size; });
    return held;
}

std::vector<MemoryLeak> leaksIn(const MemoryStory& story) {
    std::map<SnapshotStack, std::pair<MemoryLeak, std::set<std::size_t>>> found;
    const std::size_t last = story.phases.steps.size();
    for (const Allocation& each : story.replay.allocations) {
        if (each.freed != kNeverFreed || each.allocated == 0) continue;
        const std::size_t step = story.phases.stepAt(each.allocated);
        if (step + kYoungSteps > last) continue;
        auto& [leak, steps] = found[each.stack];
        leak.bytes += each.size;
        ++leak.blocks;
        steps.insert(step);
    }
    std::vector<MemoryLeak> leaks;
    for (auto& [stack, each] : found) {
        auto& [leak, steps] = each;
        if (steps.size() < kLeakingSteps) continue;
        leak.stack = stack;
        leak.line = story.stacks[stack].line;
        leak.steps = steps.size();
        leaks.push_back(leak);
    }
    std::ranges::stable_sort(leaks, std::greater(), &MemoryLeak::bytes);
    return leaks;
}

std::uint16_t streamAt(const MemoryStory& story) {
    return story.position > 0 ? story.snapshot->trace(story.device)[story.position - 1].stream : std::uint16_t{0};
}

}  // namespace

std::string_view name(MemoryMoment moment) { return spelled(moment); }

const MemoryEvent* MemoryStory::failure() const {
    return moment == MemoryMoment::oom ? &snapshot->trace(device)[position - 1] : nullptr;
}

std::int64_t MemoryStory::timeAt(MemoryPosition where) const {
    const auto events = snapshot->trace(device);
    return where == 0 ? 0 : events[where - 1].time - events.front().time;
}

std::vector<std::size_t> devicesOf(const MemorySnapshot& snapshot) {
    std::map<std::size_t, std::pair<std::int64_t, std::size_t>> sizes;
    for (const SnapshotSegment& segment : snapshot.segments)
        sizes[static_cast<std::size_t>(segment.device)].first += segment.size;
    for (std::size_t i = 0; i < snapshot.traces.size(); ++i)
        if (const std::size_t events = snapshot.trace(i).size(); events > 0) sizes[i].second = events;
    std::vector<std::size_t> devices;
    for (const auto& [device, size] : sizes) devices.push_back(device);
    std::ranges::stable_sort(devices, [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
    return devices;
}

MemoryStory tellMemory(std::shared_ptr<const MemorySnapshot> snapshot, std::size_t device,
                       std::optional<MemoryMoment> moment) {
    MemoryStory story;
    story.snapshot = std::move(snapshot);
    story.device = device;
    const auto failure = lastFailure(*story.snapshot, device);
    if (moment == MemoryMoment::oom && !failure)
        throw UsageError("--moment oom: memory of device " + std::to_string(device) +
                         " did not run out while this history was recorded; use --moment peak");
    story.replay = replayMemory(*story.snapshot, device);
    story.stacks = stackEvidence(*story.snapshot);
    story.phases = phasesOf(*story.snapshot, device, story.replay, story.stacks);
    story.moment = moment ? *moment : failure ? MemoryMoment::oom : MemoryMoment::peak;
    story.position = positionOf(story.moment, story.replay, failure);
    story.held = heldAt(story, failure.has_value());
    story.leaks = leaksIn(story);
    story.largestFree = largestFreeBlock(*story.snapshot, device, story.replay, story.position, streamAt(story));
    return story;
}

}  // namespace aotscope
