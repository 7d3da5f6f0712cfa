#pragma once

#include "trace/data_dependent_values.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <map>
#include <string>

namespace aotscope {

/// Runs operations on fake tensors. In order of preference: a shape rule of ours, LibTorch's meta kernel, and
/// for operators that have neither the real CPU kernel on zeros, counted in fallbacks().
class FakeEvaluator {
public:
    /// `crossCheck` is shown every operation; null: nobody is.
    explicit FakeEvaluator(CrossCheck* crossCheck = nullptr) : crossCheck_(crossCheck) {}

    /// Replaces the arguments of `op` on top of `stack` by fake results. In-place results are the very tensors
    /// that came in. Not for operators whose result depends on the values of their inputs.
    void run(const c10::OperatorHandle& op, torch::jit::Stack& stack);

    /// The same for an operator that depends on data: its results are those of `reading`.
    static void replay(const c10::OperatorHandle& op, const DataReading& reading, torch::jit::Stack& stack);

    /// Operators that ran a real kernel, and how often.
    const std::map<std::string, int>& fallbacks() const { return fallbacks_; }

private:
    void evaluate(const c10::OperatorHandle& op, torch::jit::Stack& stack);

    CrossCheck* crossCheck_;
    std::map<std::string, int> fallbacks_;
};

}  // namespace aotscope
