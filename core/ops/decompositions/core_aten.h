#pragma once

#include "ir/graph.h"

#include <string_view>

namespace aotscope {

/// Whether an operator belongs to the core ATen opset: operators with the tag "core" in
/// aten/src/ATen/native/native_functions.yaml (PyTorch 2.13).
bool isCoreAten(std::string_view op);

/// Whether a compiler that only supports core ATen lacks the operation. Numbers, elements of tuples and higher-order
/// operators are not ATen operators, and do not count.
bool isOutsideCoreAten(const Node& node);

/// The number of such operations in the graph.
std::size_t countOutsideCoreAten(const Graph& graph);

}  // namespace aotscope
