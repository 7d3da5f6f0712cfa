#pragma once

#include <ATen/core/Tensor.h>

namespace aotscope {

/// Whether two tensors with the same storage share any element's memory. Exact: views that merely interleave, such as
/// the columns of a matrix, do not overlap.
bool overlap(const at::Tensor& a, const at::Tensor& b);

}  // namespace aotscope
