#pragma once

#include "ops/defined_operators.h"

namespace aotscope {

/// The kernel of operators that are registered here for autograd: runs `op` below autograd, and links its results to
/// the gradient of its definition. Without one, gradients end at it.
void runDefinedWithGradient(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack);

}  // namespace aotscope
