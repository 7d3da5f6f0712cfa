#pragma once

#include "execute/step_kernel.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace aotscope {

/// What a node of torch.vmap in a graph does: its function is written out between `enter` and
/// `leave`, where LibTorch's batching rules run the operations on all of the batch at once.
enum class Batching : std::uint8_t {
    prepare,  ///< nothing here: Python loads its rules
    enter,    ///< batch size, randomness
    leave,
    add,     ///< tensor, dimension, level: that dimension is hidden from what follows
    remove,  ///< tensor, level, batch size, dimension: it is shown again
};

/// What the target "torch._functorch.predispatch._add_batch_dim" stands for; nothing for targets of other modules.
/// Throws Error for those that have no counterpart, such as forward-mode derivatives.
std::optional<Batching> batchingOf(std::string_view target);
/// Throws Error unless a node of that kind has that many arguments.
void requireBatchingArguments(Batching what, std::size_t count);

/// Begins a batch: batch size, randomness. It ends when what is returned is destroyed.
std::shared_ptr<void> enterBatch(const torch::jit::Stack& arguments);
/// Performs `add` and `remove`; `level` is that of the file, counted from 1.
std::shared_ptr<const StepKernel> batchingKernel(Batching what);

}  // namespace aotscope
