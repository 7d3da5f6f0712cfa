#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/stack.h>

namespace aotscope {

/// Calls the operator `name` of _c10d_functional, "all_reduce"; its result is to be waited for.
c10::IValue callCollective(const char* name, torch::jit::Stack arguments);
/// The result of a collective when it is there.
at::Tensor waited(const c10::IValue& result);

}  // namespace aotscope
