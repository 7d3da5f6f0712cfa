#pragma once

#include "compile/fused/expression.h"
#include "ir/graph.h"

#include <vector>

namespace aotscope {

/// Whether the elements of a tensor follow from their position along one dimension: arange, and arithmetic on it, also
/// where it is stacked and taken apart again. Kernels compute these where they need them.
bool isPositional(const Node& tensor);
/// Whether a node stacks such tensors.
bool stacksPositions(const Node& node);

/// The value of such a tensor: `place` has the dimension of the kernel's space for each of the tensor's; -1: none.
Expr positionalValue(const Node& tensor, const std::vector<int>& place, KernelBuilder& builder);

/// A known number as an element of `dtype`.
Expr valueOfFill(const Argument& fill, DType dtype, KernelBuilder& builder);

}  // namespace aotscope
