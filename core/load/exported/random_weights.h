#pragma once

#include <ATen/core/Tensor.h>

#include <string>

namespace aotscope {

/// Fills a weight called `name` with values of a reasonable magnitude for its name and shape: weights of normalizations
/// 1, biases 0, matrices normal over the square root of their inputs. Integers become valid indices of any table: 0,
/// and 0, 1, 2, ... for position ids. The same name gives the same values.
void fillWithRandomWeights(const at::Tensor& tensor, const std::string& name);

}  // namespace aotscope
