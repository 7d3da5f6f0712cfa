#pragma once

#include "ops/defined_operators.h"

namespace aotscope {

/// The autograd kernel of operators registered here: runs `op` below autograd, and links its results to the gradient in
/// its definition. Without one, gradients stop there.
void runDefinedWithGradient(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack);

}  // namespace aotscope
