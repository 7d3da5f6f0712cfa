#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

namespace aotscope {

/// Calls the overload that Python uses instead of `op`, the choice of TorchScript's compiler: there, a number as an
/// operand of arithmetic is a tensor, add.Tensor(x, 1) instead of add.Scalar(x, 1). Returns false without an effect for
/// any other operation: comparisons, powers, remainders, rsub and bitwise operations take numbers in Python, too.
bool callWithTensorOperand(const c10::OperatorHandle& op, torch::jit::Stack& stack);

}  // namespace aotscope
