#pragma once

#include "ir/metadata.h"

#include <ATen/core/ivalue.h>

#include <optional>
#include <string>
#include <vector>

namespace aotscope {

/// Decides how the arguments that `metadata` describes become the inputs of a graph, when the function is called with
/// `arguments`. Throws Error for arguments that share mutated memory in a way that no base can stand for.
/// Source: PyTorch's merge_view_inputs and AOTDedupeWrapper.
CallingConvention planConvention(const FunctionMetadata& metadata, const std::vector<c10::IValue>& arguments);

/// The inputs of the graph: synthetic bases, then arguments.
std::vector<c10::IValue> packArguments(const CallingConvention& convention, const std::vector<c10::IValue>& arguments);

/// The reverse, for tracing: the views of the bases are made by operations. `metadata` is that of the arguments, of
/// which `examples` are the ones that the function is traced with.
std::vector<c10::IValue> unpackArguments(const FunctionMetadata& metadata, const std::vector<c10::IValue>& inputs,
                                         const std::vector<c10::IValue>& examples);

/// Why `arguments` do not share memory as those that the graph was made for; nothing if they do.
std::optional<std::string> failedAliasing(const FunctionMetadata& metadata, const std::vector<c10::IValue>& arguments);

}  // namespace aotscope
