#pragma once

#include "ir/graph.h"
#include "record/results/graph_example.h"

#include <string>
#include <vector>

namespace aotscope {

/// Lines that make the inputs of a graph, indented, and return them as a list. Kept values are in a list `kept`.
std::string pythonInputs(const Graph& graph, const GraphExample& example);

/// An expression that makes a constant of this type, or takes it from a dictionary `kept`.
std::string pythonConstant(const Node& constant, const GraphExample& example);

/// Functions that these lines call.
std::string pythonMakers(std::uint64_t seed);

}  // namespace aotscope
