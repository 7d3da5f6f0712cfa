#pragma once

#include "load/printed/parser.h"

#include <optional>
#include <string>
#include <unordered_map>

namespace aotscope {

/// Types of values by name in graphs of the same compilation.
using KnownTypes = std::unordered_map<std::string, TensorType>;

/// Derives the strides of `module`'s tensors that are not printed from their operations by shape rules: a view's follow
/// from its base. Inputs use `known`. Without a rule or a known type, strides are contiguous. Runs only meta kernels of
/// LibTorch. Adds the module's types to `known`.
void deriveStrides(PrintedModule& module, KnownTypes& known);

/// The same for a graph that will be run: regardless of what is printed, results have the sizes, strides and types that
/// follow from the inputs.
void deriveTypes(Graph& graph);

/// The same for a module where only the inputs have types, as loaded by a script.
void deriveFromInputs(PrintedModule& module);

/// The dtype of the tensor that `call` computes, derived from its arguments; nothing if that is impossible.
std::optional<DType> derivedDType(const Node& call);

}  // namespace aotscope
