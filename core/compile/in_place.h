#pragma once

#include "ir/graph.h"

namespace aotscope {

/// Whether the interpreter writes the result of `node` into its positional argument `argument` when nothing else holds
/// that memory: pointwise operations whose result has the layout of the argument, with an in-place twin for the first
/// argument or a kernel that writes into any of them.
bool mayWriteInto(const Node& node, std::size_t argument);

}  // namespace aotscope
