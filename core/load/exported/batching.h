#pragma once

#include "load/exported/export_schema.h"

#include <ATen/core/ivalue.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace aotscope {

/// What a node of torch.vmap inside of an exported program does: its function is written out between `enter` and
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

/// Performs it; `level` is that of the file, counted from 1. Returns a tensor for `add` and `remove`.
c10::IValue performBatching(Batching what, const std::vector<c10::IValue>& arguments);

/// Ends every batching that has been entered during its life and not been left.
class BatchingScope {
public:
    BatchingScope();
    ~BatchingScope();
    BatchingScope(const BatchingScope&) = delete;
    BatchingScope& operator=(const BatchingScope&) = delete;

private:
    std::size_t depth_;
};

}  // namespace aotscope
