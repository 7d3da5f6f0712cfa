#pragma once

#include "ir/graph.h"

#include <optional>
#include <vector>

namespace aotscope {

// See GraphRules. These run only meta kernels of LibTorch.

/// Derives the strides of these tensors, in order. Without a rule, they stay as they are.
void deriveStrides(const std::vector<Node*>& unstrided);

/// The same for a graph that will be run: regardless of what is printed, results have the sizes, strides and types that
/// follow from the inputs.
void deriveTypes(Graph& graph);

/// The same for the calls without a type.
void deriveUntyped(Graph& graph);

/// The dtype of the tensor that `call` computes, derived from its arguments; nothing if that is impossible.
std::optional<DType> derivedDType(const Node& call);

}  // namespace aotscope
