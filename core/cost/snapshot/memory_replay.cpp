#include "cost/snapshot/memory_replay.h"

#include <random>
#include <unordered_map>

namespace aotscope {

namespace {

/// Addresses in a file could be chosen to collide without a random start.
struct AddressHash {
    std::uint64_t seed = std::uint64_t{std::random_device()()} << 1 | 1;
    std::size_t operator()(std::uint64_t address) const {
        const std::uint64_t mixed = (address ^ seed) * 0x9e3779b97f4a7c15u;
        return (mixed ^ mixed >> 32) * seed >> 16;
    }
};

/// Pairs what was allocated with what was freed.
class Pairing {
public:
    explicit Pairing(std::vector<Allocation>& allocations) : allocations_(allocations) {}

    void allocate(const MemoryEvent& event, MemoryPosition position) {
        free(event.address, position);  // its end was not recorded
        live_.emplace(event.address, allocations_.size());
        allocations_.push_back({event.address, event.size, event.stack, event.metadata, position, kNeverFreed});
    }
    void free(const MemoryEvent& event, MemoryPosition position) {
        if (!free(event.address, position))
            allocations_.push_back({event.address, event.size, 0, event.metadata, 0, position});
    }
    /// What the snapshot holds. Returns whether the history has allocated it.
    bool hold(const SnapshotBlock& block) {
        const auto it = live_.find(block.address);
        if (it == live_.end()) {
            allocations_.push_back({block.address, block.requested, block.stack, block.metadata, 0, kNeverFreed});
            return false;
        }
        Allocation& known = allocations_[it->second];
        if (known.stack == 0) known.stack = block.stack;
        return true;
    }
    std::size_t live() const { return live_.size(); }

private:
    bool free(std::uint64_t address, MemoryPosition position) {
        const auto it = live_.find(address);
        if (it == live_.end()) return false;
        allocations_[it->second].freed = position;
        live_.erase(it);
        return true;
    }

    std::vector<Allocation>& allocations_;
    std::unordered_map<std::uint64_t, std::size_t, AddressHash> live_;
};

/// By how many bytes an event changes what the allocator holds.
std::int64_t reservedBy(const MemoryEvent& event) {
    switch (event.action) {
        case MemoryAction::segmentAlloc:
        case MemoryAction::segmentMap: return event.size;
        case MemoryAction::segmentFree:
        case MemoryAction::segmentUnmap: return -event.size;
        default: return 0;
    }
}

void pairEvents(const MemorySnapshot& snapshot, std::size_t device, MemoryReplay& replay) {
    Pairing pairing(replay.allocations);
    MemoryPosition position = 0;
    for (const MemoryEvent& event : snapshot.trace(device)) {
        ++position;
        if (event.action == MemoryAction::alloc) pairing.allocate(event, position);
        if (event.action == MemoryAction::freeCompleted) pairing.free(event, position);
    }
    std::size_t known = 0;
    for (const SnapshotSegment& segment : snapshot.segments) {
        if (segment.device != static_cast<std::int64_t>(device)) continue;
        for (const SnapshotBlock& block : segment.blocks)
            if (block.state != BlockState::inactive && pairing.hold(block)) ++known;
    }
    replay.freedLater = pairing.live() - std::min(known, pairing.live());
}

void sumAllocated(MemoryReplay& replay, std::size_t events) {
    replay.allocated.assign(events + 1, 0);
    for (const Allocation& each : replay.allocations) {
        replay.allocated[each.allocated] += each.size;
        if (each.freed != kNeverFreed) replay.allocated[each.freed] -= each.size;
    }
    for (std::size_t i = 1; i <= events; ++i) replay.allocated[i] += replay.allocated[i - 1];
}

void sumReserved(const MemorySnapshot& snapshot, std::size_t device, MemoryReplay& replay) {
    const auto events = snapshot.trace(device);
    replay.reserved.resize(events.size() + 1);
    std::int64_t bytes = 0;
    for (const SnapshotSegment& segment : snapshot.segments)
        if (segment.device == static_cast<std::int64_t>(device)) bytes += segment.size;
    for (std::size_t i = events.size() + 1; i-- > 0;) {
        replay.reserved[i] = bytes;
        if (i > 0) bytes -= reservedBy(events[i - 1]);
    }
}

}  // namespace

MemoryReplay replayMemory(const MemorySnapshot& snapshot, std::size_t device) {
    MemoryReplay replay;
    pairEvents(snapshot, device, replay);
    sumAllocated(replay, snapshot.trace(device).size());
    sumReserved(snapshot, device, replay);
    return replay;
}

}  // namespace aotscope
