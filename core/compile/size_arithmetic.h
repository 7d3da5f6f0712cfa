#pragma once

#include <ATen/core/stack.h>

#include <string_view>

namespace aotscope {

/// Computes a number from numbers, or from a tensor's size.
using SizeArithmetic = c10::IValue (*)(const torch::jit::Stack& arguments);

/// What an operation on sizes computes (aten.sym_size.int, operator.add, sub, mul, floordiv, mod, truediv); null for
/// any other operation.
SizeArithmetic findSizeArithmetic(std::string_view op);

}  // namespace aotscope
