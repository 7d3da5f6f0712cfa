#pragma once

#include "program/inputs/input_spec.h"
#include "program/program.h"

namespace aotscope {

/// An input spec for these values: shapes, dtypes, strides and shared memory, and the values of numbers, but no
/// elements.
InputSpec describeInputs(const std::vector<c10::IValue>& values);

/// A template for the inputs of `program` without defaults: float tensors, numbers, and lists and dicts with one
/// element.
InputSpec blankInputs(const Program& program);

}  // namespace aotscope
