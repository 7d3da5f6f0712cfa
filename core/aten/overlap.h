#pragma once

#include <ATen/core/Tensor.h>

namespace aotscope {

/// Whether two tensors with one storage have an element's memory in common. Exact: views that only lie in between each
/// other, such as the columns of a matrix, do not overlap.
bool overlap(const at::Tensor& a, const at::Tensor& b);

}  // namespace aotscope
