#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace aotscope {

/// A text of a snapshot: an index into MemorySnapshot::texts. 0 is the empty text.
using SnapshotText = std::uint32_t;
/// A stack of frames: an index into MemorySnapshot::stacks. 0 is the stack without frames.
using SnapshotStack = std::uint32_t;

/// A line of Python or C++.
struct SnapshotFrame {
    SnapshotText file = 0, function = 0;
    std::int32_t line = 0;
    SnapshotText node = 0;  ///< of the FX graph that the line was generated from; 0: none

    friend bool operator==(const SnapshotFrame&, const SnapshotFrame&) = default;
};

/// What the caching allocator did.
enum class MemoryAction : std::uint8_t {
    other,          ///< unknown here, ignored
    alloc,          ///< gave a block to the program
    freeRequested,  ///< the program no longer needs the block
    freeCompleted,  ///< nor does any stream: it can be used again
    segmentAlloc,   ///< got memory from the device
    segmentFree,    ///< returned it
    segmentMap,     ///< got memory for an expandable segment
    segmentUnmap,   ///< returned that
    snapshot,       ///< a snapshot was taken
    outOfMemory,    ///< failed to allocate `size` bytes
};

/// An entry of the allocator's history.
struct MemoryEvent {
    std::uint64_t address = 0;  ///< for outOfMemory: the bytes that the device had free
    std::int64_t size = 0;      ///< bytes that were asked for
    std::int64_t time = 0;      ///< µs; 0 if it was not recorded
    SnapshotStack stack = 0;
    SnapshotText metadata = 0;  ///< set by torch.cuda.memory._set_memory_metadata
    std::uint16_t stream = 0;   ///< an index into MemorySnapshot::streams
    MemoryAction action = MemoryAction::other;
};

enum class BlockState : std::uint8_t { inactive, allocated, awaitingFree };

/// A part of a segment at the time of the snapshot.
struct SnapshotBlock {
    std::uint64_t address = 0;
    std::int64_t size = 0;       ///< bytes that it takes
    std::int64_t requested = 0;  ///< bytes that the program asked for
    SnapshotStack stack = 0;     ///< where it was allocated
    SnapshotText metadata = 0;
    BlockState state = BlockState::inactive;
};

/// Memory that the allocator holds at the time of the snapshot.
struct SnapshotSegment {
    std::uint64_t address = 0;
    std::int64_t size = 0;  ///< bytes
    std::int32_t device = 0;
    std::uint16_t stream = 0;  ///< an index into MemorySnapshot::streams
    bool expandable = false;
    std::vector<SnapshotBlock> blocks = {};
};

/// What torch.cuda.memory._dump_snapshot writes.
struct MemorySnapshot {
    std::vector<std::string> texts;
    std::vector<SnapshotFrame> frames;
    /// Frames of stack i, innermost first: stackFrames[stacks[i]] up to stackFrames[stacks[i + 1]].
    std::vector<std::uint32_t> stacks = {0}, stackFrames = {};
    std::vector<std::uint64_t> streams;  ///< handles
    std::vector<MemoryEvent> events;
    /// The history of each device, oldest first: a range of `events`. Its beginning may be missing.
    struct Trace {
        std::size_t begin = 0, end = 0;
    };
    std::vector<Trace> traces;
    std::vector<SnapshotSegment> segments;
    std::string settings;  ///< PYTORCH_CUDA_ALLOC_CONF; empty if it was not set

    std::size_t stackCount() const { return stacks.size() - 1; }
    std::span<const std::uint32_t> framesOf(SnapshotStack stack) const {
        return std::span(stackFrames).subspan(stacks[stack], stacks[stack + 1] - stacks[stack]);
    }
    std::span<const MemoryEvent> trace(std::size_t device) const {
        if (device >= traces.size()) return {};
        return std::span(events).subspan(traces[device].begin, traces[device].end - traces[device].begin);
    }
};

}  // namespace aotscope
