#pragma once

#include "execute/step_kernel.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace aotscope {

/// The role of a torch.vmap node in a graph: the function is inlined between `enter` and `leave`, where LibTorch's
/// batching rules run the operations on the whole batch.
enum class Batching : std::uint8_t {
    prepare,  ///< no effect here: Python loads its rules
    enter,    ///< batch size, randomness
    leave,
    add,     ///< tensor, dimension, level: hides that dimension from what follows
    remove,  ///< tensor, level, batch size, dimension: exposes it again
};

/// The role of the target "torch._functorch.predispatch._add_batch_dim"; nothing for targets of other modules. Throws
/// Error for unsupported ones, such as forward-mode derivatives.
std::optional<Batching> batchingOf(std::string_view target);
/// Throws Error unless such a node has that many arguments.
void requireBatchingArguments(Batching what, std::size_t count);

/// Begins a batch: batch size, randomness. It ends when the result is destroyed.
std::shared_ptr<void> enterBatch(const torch::jit::Stack& arguments);
/// Performs `add` and `remove`; `level` is that of the file, counted from 1.
std::shared_ptr<const StepKernel> batchingKernel(Batching what);

}  // namespace aotscope
