#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

namespace aotscope {

// Dropout without an effect returns its input in eager, and a copy of it in PyTorch's tracer. Arguments are on top of
// the stack.

/// Whether `op` is such a dropout.
bool isIdleDropout(const c10::OperatorHandle& op, const torch::jit::Stack& stack);

/// Replaces its arguments with a copy of its input.
void copyIdleDropout(torch::jit::Stack& stack);

}  // namespace aotscope
