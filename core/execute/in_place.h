#pragma once

#include "ir/graph.h"

#include <string>

namespace aotscope {

/// The operator with which the interpreter writes the result of `node` into its first argument when nothing else holds
/// that memory: "aten.add_.Tensor". Empty unless it is a pointwise operation whose result has the layout of the
/// argument.
std::string inPlaceVariant(const Node& node);

}  // namespace aotscope
