#pragma once

#include "ir/graph.h"
#include "record/graph_example.h"

#include <string>
#include <vector>

namespace aotscope {

/// The names of the lists of kept values in a program.
struct KeptNames {
    std::string inputs, constants;
};

/// Lines that make the inputs of a graph, indented, and return them as a list.
std::string pythonInputs(const Graph& graph, const GraphExample& example, const KeptNames& kept);

/// An expression that makes a constant of this type.
std::string pythonConstant(const Node& constant, const GraphExample& example, const KeptNames& kept);

/// Functions that these lines call.
std::string pythonMakers(std::uint64_t seed);

}  // namespace aotscope
