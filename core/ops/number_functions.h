#pragma once

#include <ATen/core/ivalue.h>

#include <string_view>
#include <vector>

namespace aotscope {

/// Arithmetic on sizes and other numbers, as Python does it: from numbers (and tensors, whose sizes are asked for)
/// to a number. Throws Error for values it is not defined for.
using NumberFunction = c10::IValue (*)(const std::vector<c10::IValue>& arguments);

/// The function behind an operation of a graph ("operator.mul", "aten.sym_size.int") or a target of torch.export
/// ("_operator.mul", "math.trunc", "torch.sym_max", "torch.ops.aten.sym_size.int"); null if it is none.
NumberFunction findNumberFunction(std::string_view target);

}  // namespace aotscope
