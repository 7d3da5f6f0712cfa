#pragma once

#include "ir/graph.h"

namespace aotscope {

/// Whether the interpreter writes the result of `node` into its first argument when nothing else holds that memory:
/// pointwise operations with an in-place variant whose result has the layout of the argument.
bool mayRunInPlace(const Node& node);

}  // namespace aotscope
