#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <string>

namespace aotscope {

/// Tensors by the names of a graph's constant nodes.
using ConstantTable = std::map<std::string, at::Tensor>;

}  // namespace aotscope
