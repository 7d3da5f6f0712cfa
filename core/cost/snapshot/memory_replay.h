#pragma once

#include "load/snapshot/memory_snapshot.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace aotscope {

/// A place in the history of a device: after so many of its events.
using MemoryPosition = std::uint32_t;
constexpr MemoryPosition kNeverFreed = std::numeric_limits<MemoryPosition>::max();

/// Memory that the program held for a time.
struct Allocation {
    std::uint64_t address = 0;
    std::int64_t size = 0;  ///< bytes that the program asked for
    SnapshotStack stack = 0;
    SnapshotText metadata = 0;
    MemoryPosition allocated = 0;  ///< 0: before the history begins
    MemoryPosition freed = kNeverFreed;

    bool isHeldAt(MemoryPosition position) const { return allocated <= position && position < freed; }
};

/// The history of a device, from events as pairs of what was allocated and freed.
struct MemoryReplay {
    std::vector<Allocation> allocations;
    std::vector<std::int64_t> allocated;  ///< bytes that the program holds, by position: one more than there are events
    std::vector<std::int64_t> reserved;   ///< bytes that the allocator holds
    std::size_t freedLater = 0;  ///< allocations that the history does not free, but that the snapshot does not hold

    MemoryPosition end() const { return static_cast<MemoryPosition>(allocated.size() - 1); }
};

/// A block counts as held until its memory can be used again ("free_completed"). What the history frees but does not
/// allocate, and what the snapshot holds but the history does not allocate, was there before. So was the memory that
/// the allocator holds at the end, less what it got in between.
MemoryReplay replayMemory(const MemorySnapshot& snapshot, std::size_t device);

/// The bytes of the largest free block on a stream at this position: what could be allocated there without more memory
/// from the device.
std::int64_t largestFreeBlock(const MemorySnapshot& snapshot, std::size_t device, const MemoryReplay& replay,
                              MemoryPosition position, std::uint16_t stream);

}  // namespace aotscope
