#pragma once

#include <c10/util/ArrayRef.h>

#include <vector>

namespace aotscope {

/// The strides of a dense tensor of `sizes` whose dimensions are in memory in the order that the strides `like` give.
std::vector<int64_t> denseStridesLike(c10::IntArrayRef like, c10::IntArrayRef sizes);

}  // namespace aotscope
