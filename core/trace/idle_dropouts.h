#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <cstddef>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace aotscope {

/// Which calls of dropout that drop nothing return a copy of their input, by operation number of the program: PyTorch's
/// tracer makes one of each. In eager they return the input itself, which shows where its memory is written to later,
/// or where the caller has it twice: there, a copy would be wrong. Only the program as written shows that.
class IdleDropouts {
public:
    /// Whether `op` is a dropout that drops nothing.
    static bool isIdle(const c10::OperatorHandle& op, const torch::jit::Stack& stack);

    // For the program as written, in order.

    /// Such a dropout is about to run as part of operation number `step`.
    void note(std::size_t step, const torch::jit::Stack& stack);
    /// `op` is run with these arguments.
    void noteWrites(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> args);
    /// All has run: what the caller holds then.
    void noteCaller(const std::vector<c10::IValue>& inputs, const std::vector<c10::IValue>& outputs);

    /// Replaces the arguments of a dropout that drops nothing with a copy of its input. Returns false if nothing was
    /// done.
    bool copy(std::size_t step, torch::jit::Stack& stack) const;

private:
    void keep(const c10::StorageImpl* memory);

    std::unordered_map<const c10::StorageImpl*, std::unordered_set<std::size_t>> steps_;  ///< by memory of the input
    std::unordered_set<std::size_t> kept_;  ///< steps whose dropout returns its input
};

}  // namespace aotscope
