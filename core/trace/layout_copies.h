#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <cstddef>
#include <unordered_set>

namespace aotscope {

/// Which calls of contiguous and reshape have to copy, by the number of the program's operation. The program as written
/// knows; functional values have strides of their own, with which a call may have nothing to do and return an alias.
class LayoutCopies {
public:
    /// Of the program as written: remembers whether `op`, the program's operation number `step`, copies.
    void note(std::size_t step, const c10::OperatorHandle& op, const torch::jit::Stack& stack);

    /// Copies where the program as written does and `op` would not: replaces the arguments by the result. False:
    /// nothing done.
    bool copy(std::size_t step, const c10::OperatorHandle& op, torch::jit::Stack& stack) const;

private:
    std::unordered_set<std::size_t> steps_;
};

}  // namespace aotscope
