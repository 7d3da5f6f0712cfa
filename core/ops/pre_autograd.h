#pragma once

#include <ATen/core/operator_name.h>
#include <ATen/core/stack.h>

namespace aotscope {

/// Replaces a call before it enters autograd, as PyTorch's tracer does: operators with a hidden mutation by variants
/// that return the new value, and composites that save more than they need. Takes the arguments from the top of the
/// stack and leaves the results there. Returns false, and does nothing, for other calls.
using PreAutogradRewrite = bool (*)(torch::jit::Stack& stack);

/// Null if calls of `name` need no replacement.
PreAutogradRewrite findPreAutogradRewrite(const c10::OperatorName& name);

}  // namespace aotscope
