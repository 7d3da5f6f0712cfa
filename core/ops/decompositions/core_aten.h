#pragma once

#include "ir/graph.h"

#include <string_view>

namespace aotscope {

/// Whether an operator belongs to the core ATen opset: those of aten/src/ATen/native/native_functions.yaml that have
/// the tag "core" (PyTorch 2.13).
bool isCoreAten(std::string_view op);

/// Whether a compiler for core ATen alone does not know the operation. Numbers, elements of tuples and operators that
/// run graphs are no operators of ATen, and are not outside.
bool isOutsideCoreAten(const Node& node);

/// How many operations of the graph are.
std::size_t countOutsideCoreAten(const Graph& graph);

}  // namespace aotscope
