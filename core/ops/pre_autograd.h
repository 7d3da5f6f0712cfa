#pragma once

#include <ATen/core/operator_name.h>
#include <ATen/core/stack.h>

namespace aotscope {

/// Replaces a call that is about to enter autograd by other operations, as PyTorch's tracer does: operators
/// with a hidden mutation by their honest twins, and composites that save more than they need.
/// Gets the arguments on top of the stack and leaves the results there; false: not this call, nothing done.
using PreAutogradRewrite = bool (*)(torch::jit::Stack& stack);

/// Null if calls of `name` go on unchanged.
PreAutogradRewrite findPreAutogradRewrite(const c10::OperatorName& name);

}  // namespace aotscope
