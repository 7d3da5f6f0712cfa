#pragma once

#include "ir/graph.h"
#include "record/results/graph_example.h"

#include <string>

namespace aotscope {

/// Code that creates the inputs of a graph, indented, and returns them as a list. Kept values are in a list `kept`.
std::string pythonInputs(const Graph& graph, const GraphExample& example);

/// An expression that creates a constant of this type, or reads it from a dictionary `kept`.
std::string pythonConstant(const Node& constant, const GraphExample& example);

/// Functions that this code calls.
std::string pythonMakers(std::uint64_t seed);

}  // namespace aotscope
