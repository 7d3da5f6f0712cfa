#pragma once

#include "ir/metadata.h"

#include <ATen/core/ivalue.h>

#include <optional>
#include <string>
#include <vector>

namespace aotscope {

/// Plans how the arguments described by `metadata` become the inputs of a graph, for a call with `arguments`. Throws
/// Error for arguments that share mutated memory in a way that no base can represent. Source: merge_view_inputs and
/// AOTDedupeWrapper in torch/_functorch/_aot_autograd/runtime_wrappers.py.
CallingConvention planConvention(const FunctionMetadata& metadata, const std::vector<c10::IValue>& arguments);

/// The inputs of the graph: synthetic bases, then arguments.
std::vector<c10::IValue> packArguments(const CallingConvention& convention, const std::vector<c10::IValue>& arguments);

/// The inverse, for tracing: operations recreate the views from the bases. `metadata` is that of the arguments,
/// `examples` are the traced arguments.
std::vector<c10::IValue> unpackArguments(const FunctionMetadata& metadata, const std::vector<c10::IValue>& inputs,
                                         const std::vector<c10::IValue>& examples);

/// Why `arguments` share memory differently than those that the graph is specialized to; nothing if they do not.
std::optional<std::string> failedAliasing(const FunctionMetadata& metadata, const std::vector<c10::IValue>& arguments);

}  // namespace aotscope
