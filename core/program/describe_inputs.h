#pragma once

#include "program/input_spec.h"
#include "program/program.h"

namespace aotscope {

/// A spec of inputs like these values: shapes, dtypes, strides and which tensors share memory; numbers as they are.
/// Elements are not described.
InputSpec describeInputs(const std::vector<c10::IValue>& values);

/// A start for the inputs that `program` declares without a default: float tensors, numbers, and lists and dicts with
/// one element.
InputSpec blankInputs(const Program& program);

}  // namespace aotscope
