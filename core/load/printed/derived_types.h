#pragma once

#include "load/printed/parser.h"

#include <optional>
#include <string>
#include <unordered_map>

namespace aotscope {

/// Types of values by name, of graphs of the same compilation.
using KnownTypes = std::unordered_map<std::string, TensorType>;

/// Gives the tensors of `module` whose strides are not printed those that their operations make, as shape rules have
/// them: a view's follow from its base. Inputs get those of `known`; without, they are contiguous, and so is what no
/// rule is known for. Runs no real kernel, and nothing but meta kernels of LibTorch. Adds the module's types to
/// `known`.
void deriveStrides(PrintedModule& module, KnownTypes& known);

/// The same for a graph that is going to run: whatever is printed, results have the sizes, strides and types that
/// follow from the inputs.
void deriveTypes(Graph& graph);

/// The same for a module whose inputs alone have types, as a script loads them.
void deriveFromInputs(PrintedModule& module);

/// The dtype of the tensor that `call` makes, as it follows from its arguments; nothing: that cannot be told, or they
/// do not fit together.
std::optional<DType> derivedDType(const Node& call);

}  // namespace aotscope
