#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <cstddef>
#include <unordered_set>

namespace aotscope {

/// Which calls of contiguous and reshape must copy, by operation number of the program. Only the original program shows
/// that: functional values have other strides, for which such a call may return an alias.
class LayoutCopies {
public:
    /// For the original program: records and returns whether `op`, operation number `step`, copies.
    bool note(std::size_t step, const c10::OperatorHandle& op, const torch::jit::Stack& stack);

    /// Whether operation number `step` copies.
    bool isCopy(std::size_t step) const { return steps_.contains(step); }

    /// Copies if the original program does and `op` would not: replaces the arguments with the result. Returns false if
    /// nothing was done.
    bool copy(std::size_t step, const c10::OperatorHandle& op, torch::jit::Stack& stack) const;

private:
    std::unordered_set<std::size_t> steps_;
};

}  // namespace aotscope
