#pragma once

#include <ATen/core/Tensor.h>

#include <string>

namespace aotscope {

/// Fills a weight called `name` with values of a reasonable magnitude for its name and shape: weights of normalizations
/// are 1, biases 0, matrices normal divided by the square root of their fan-in. Integers are valid indices for any
/// table: 0, and 0, 1, 2, ... for position ids. Deterministic in the name.
void fillWithRandomWeights(const at::Tensor& tensor, const std::string& name);

}  // namespace aotscope
