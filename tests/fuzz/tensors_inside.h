#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

namespace aotscope::fuzz {

/// Reads every element of a tensor, or of all in a value. Throws logic_error, a finding, for a tensor that reaches
/// beyond its storage.
void requireInside(const at::Tensor& tensor);
void requireInside(const c10::IValue& value);

}  // namespace aotscope::fuzz
