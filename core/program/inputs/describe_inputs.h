#pragma once

#include "program/inputs/input_spec.h"
#include "program/program.h"

namespace aotscope {

/// An input spec for these values: shapes, dtypes, strides and shared memory; numbers as they are. Elements are not
/// described.
InputSpec describeInputs(const std::vector<c10::IValue>& values);

/// A template for the inputs that `program` declares without a default: float tensors, numbers, and lists and dicts
/// with one element.
InputSpec blankInputs(const Program& program);

}  // namespace aotscope
