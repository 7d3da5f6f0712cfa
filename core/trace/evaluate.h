#pragma once

#include "trace/data_dependent_values.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <map>
#include <string>

namespace aotscope {

/// Runs operations on fake tensors. In order of preference: our own shape rule, LibTorch's meta kernel, or the real CPU
/// kernel on zeros, which is counted in fallbacks().
class FakeEvaluator {
public:
    /// `crossCheck` gets every operation; may be null.
    explicit FakeEvaluator(CrossCheck* crossCheck = nullptr) : crossCheck_(crossCheck) {}

    /// Replaces the arguments of `op` on top of `stack` with fake results. In-place operations return their arguments.
    /// Not for data-dependent operators.
    void run(const c10::OperatorHandle& op, torch::jit::Stack& stack);

    /// The same for a data-dependent operator, with the results of `reading`.
    static void replay(const c10::OperatorHandle& op, const DataReading& reading, torch::jit::Stack& stack);

    /// Operators that ran a real kernel, and how often.
    const std::map<std::string, int>& fallbacks() const { return fallbacks_; }

private:
    void evaluate(const c10::OperatorHandle& op, torch::jit::Stack& stack);

    CrossCheck* crossCheck_;
    std::map<std::string, int> fallbacks_;
};

}  // namespace aotscope
