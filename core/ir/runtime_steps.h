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
    std::optional<std::size_t> input;   ///< the argument of the function that it is about
    std::optional<std::size_t> output;  ///< the user output that it is about
};
std::string_view name(RuntimeStep::When when);

/// All steps of a call of the compiled function, in order. `function` has the arguments as the caller passes them,
/// `graph` the inputs of the graph; they differ if the convention is not plain.
std::vector<RuntimeStep> describeRuntime(const FunctionMetadata& function, const FunctionMetadata& graph);

/// What the backward gets tangents for: "1 updated input, 2 outputs and 0 intermediate bases".
std::string differentiableReturns(const FunctionMetadata& graph);

}  // namespace aotscope
