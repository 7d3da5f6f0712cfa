#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <string>

namespace aotscope {

/// Tensors that a graph refers to by the names of its constant nodes.
using ConstantTable = std::map<std::string, at::Tensor>;

}  // namespace aotscope
