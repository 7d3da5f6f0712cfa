#pragma once

#include "ir/metadata.h"

#include <optional>
#include <string>
#include <vector>

namespace aotscope {

/// One step of the wrapper around the compiled graph.
struct RuntimeStep {
    enum class When : std::uint8_t { before, graph, after } when = When::after;
    std::string text;                   ///< "regenerate output 2 from input 'x': view([-1])"
    std::optional<std::size_t> input;   ///< the function's argument concerned
    std::optional<std::size_t> output;  ///< the user output concerned
};
std::string_view name(RuntimeStep::When when);

/// All steps of a call of the compiled function, in order. `function` describes the arguments that the caller passes,
/// `graph` the inputs of the graph; they differ unless the convention is plain.
std::vector<RuntimeStep> describeRuntime(const FunctionMetadata& function, const FunctionMetadata& graph);

/// The values with tangents: "1 updated input, 2 outputs and 0 intermediate bases".
std::string differentiableReturns(const FunctionMetadata& graph);

}  // namespace aotscope
