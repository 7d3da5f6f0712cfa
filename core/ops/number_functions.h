#pragma once

#include <ATen/core/ivalue.h>

#include <string_view>
#include <vector>

namespace aotscope {

/// Arithmetic on sizes and other numbers with Python's semantics: takes numbers (and tensors, for their sizes) and
/// returns a number. Throws Error for undefined results.
using NumberFunction = c10::IValue (*)(const std::vector<c10::IValue>& arguments);

/// The function for an operation of a graph ("operator.mul", "aten.sym_size.int") or a target of torch.export
/// ("_operator.mul", "math.trunc", "torch.sym_max", "torch.ops.aten.sym_size.int"); null for others.
NumberFunction findNumberFunction(std::string_view target);

}  // namespace aotscope
