#pragma once

#include <c10/util/ArrayRef.h>

#include <vector>

namespace aotscope {

/// The strides of a dense tensor of `sizes` whose dimensions lie in memory in the order of those with the strides
/// `like`.
std::vector<int64_t> denseStridesLike(c10::IntArrayRef like, c10::IntArrayRef sizes);

}  // namespace aotscope
