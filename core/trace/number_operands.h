#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

namespace aotscope {

/// Calls what Python calls in place of `op`, as TorchScript's compiler chose it: a number as an operand of arithmetic
/// is a tensor there, add.Tensor(x, 1) in place of add.Scalar(x, 1). False, and nothing is done, for any other
/// operation: comparisons, powers, remainders, rsub and bitwise operations take numbers in Python, too.
bool callWithTensorOperand(const c10::OperatorHandle& op, torch::jit::Stack& stack);

}  // namespace aotscope
