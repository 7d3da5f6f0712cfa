#pragma once

#include "load/snapshot/memory_snapshot.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace aotscope {

/// What a training does while it allocates.
enum class MemoryPhase : std::uint8_t {
    unknown,
    creation,   ///< makes modules, or moves them to the device
    forward,    ///< runs modules
    backward,   ///< in autograd's threads, or in a function called backward
    optimizer,  ///< in torch.optim
};

constexpr std::uint32_t kNoFrame = std::numeric_limits<std::uint32_t>::max();

/// What the frames of a stack say.
struct StackEvidence {
    MemoryPhase phase = MemoryPhase::unknown;
    bool accumulates = false;       ///< into a parameter's gradient
    bool workspace = false;         ///< of a library such as cuBLAS
    std::uint32_t line = kNoFrame;  ///< the innermost frame outside PyTorch: an index into MemorySnapshot::frames
};

/// For each stack. Threads of autograd have no Python frames: where no stack of the snapshot has C++ frames, those
/// without any are theirs.
std::vector<StackEvidence> stackEvidence(const MemorySnapshot& snapshot);

}  // namespace aotscope
