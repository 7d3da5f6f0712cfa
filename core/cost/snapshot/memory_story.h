#pragma once

#include "cost/snapshot/memory_category.h"

#include <memory>
#include <optional>
#include <vector>

namespace aotscope {

/// The moment of a history that is told.
enum class MemoryMoment : std::uint8_t { peak, oom, end };
std::string_view name(MemoryMoment moment);

/// Memory that is held at that moment.
struct HeldMemory {
    Allocation allocation;
    MemoryCategory category = MemoryCategory::unknown;
    std::uint32_t line = kNoFrame;  ///< an index into MemorySnapshot::frames
};

/// Memory that several steps allocate at the same place, and that is still held at the end, at least two steps later.
struct MemoryLeak {
    std::uint32_t line = kNoFrame;
    SnapshotStack stack = 0;
    std::size_t steps = 0;  ///< how many of them
    std::size_t blocks = 0;
    std::int64_t bytes = 0;
};

/// What a snapshot says about one device.
struct MemoryStory {
    std::shared_ptr<const MemorySnapshot> snapshot;
    std::size_t device = 0;
    MemoryReplay replay;
    std::vector<StackEvidence> stacks;
    MemoryPhases phases;

    MemoryMoment moment = MemoryMoment::peak;
    MemoryPosition position = 0;
    std::vector<HeldMemory> held;   ///< at that moment, the largest first
    std::vector<MemoryLeak> leaks;  ///< the largest first
    std::int64_t largestFree = 0;   ///< free block, on the stream of the event at that moment

    std::int64_t allocated() const { return replay.allocated[position]; }
    std::int64_t reserved() const { return replay.reserved[position]; }
    /// The failed allocation; null for other moments.
    const MemoryEvent* failure() const;
    bool hasHistory() const { return replay.end() > 0; }
    /// µs from the beginning of the history.
    std::int64_t timeAt(MemoryPosition position) const;
};

/// The devices that have segments or a history; the one that has most first.
std::vector<std::size_t> devicesOf(const MemorySnapshot& snapshot);

/// `moment`: without it, the last time that memory ran out, or else the peak. Throws UsageError if memory did not run
/// out.
MemoryStory tellMemory(std::shared_ptr<const MemorySnapshot> snapshot, std::size_t device,
                       std::optional<MemoryMoment> moment = {});

}  // namespace aotscope
