#pragma once

#include "load/snapshot/memory_snapshot.h"
#include "load/snapshot/sequence_index.h"

#include <span>
#include <string_view>

namespace aotscope {

/// Keeps each text, frame, stack and stream of a snapshot once. All throw Error (a clause) beyond bounds.
class SnapshotTables {
public:
    explicit SnapshotTables(MemorySnapshot& snapshot);

    SnapshotText text(std::string_view text);
    std::uint32_t frame(const SnapshotFrame& frame);
    SnapshotStack stack(std::span<const std::uint32_t> frames);
    std::uint16_t stream(std::uint64_t handle);

private:
    MemorySnapshot& snapshot_;
    SequenceIndex texts_, frames_, stacks_;
    std::size_t textBytes_ = 0;
};

}  // namespace aotscope
