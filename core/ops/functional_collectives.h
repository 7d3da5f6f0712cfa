#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/stack.h>

namespace aotscope {

/// Calls the operator `name` of _c10d_functional, "all_reduce"; its result must be waited for.
c10::IValue callCollective(const char* name, torch::jit::Stack arguments);
/// Waits for the result of a collective.
at::Tensor waited(const c10::IValue& result);

}  // namespace aotscope
