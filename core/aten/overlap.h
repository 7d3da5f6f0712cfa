#pragma once

#include <ATen/core/Tensor.h>

namespace aotscope {

/// Whether two tensors of one storage share an element's memory. Exact: views that merely interleave, such as the
/// columns of a matrix, do not overlap.
bool overlap(const at::Tensor& a, const at::Tensor& b);

}  // namespace aotscope
