#pragma once

#include "ir/metadata.h"

#include <nlohmann/json.hpp>

namespace aotscope {

/// The report's "metadata": mutations of the arguments and aliasing of the outputs, with the names of PyTorch's
/// ViewAndMutationMeta (torch/_functorch/_aot_autograd/schemas.py). `graph` describes the inputs of the graph, which
/// differ from the arguments unless the calling convention is plain.
nlohmann::json metadataJson(const FunctionMetadata& function, const FunctionMetadata& graph);

/// Its "runtime_steps": the wrapper's work around the graph.
nlohmann::json runtimeStepsJson(const FunctionMetadata& function, const FunctionMetadata& graph);

}  // namespace aotscope
