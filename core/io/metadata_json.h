#pragma once

#include "ir/metadata.h"

#include <nlohmann/json.hpp>

namespace aotscope {

/// The report's "metadata": what a function does to its arguments and how its outputs alias, in the words of PyTorch's
/// ViewAndMutationMeta. `graph` has the inputs of the graph, which differ from the arguments if the calling convention
/// is not plain.
nlohmann::json metadataJson(const FunctionMetadata& function, const FunctionMetadata& graph);

}  // namespace aotscope
