#pragma once

#include "ir/graph.h"
#include "program/inputs/input_spec.h"

#include <string>
#include <vector>

namespace aotscope {

/// Why no value can be made for `input` from what is printed, as a clause; empty if one can.
std::string whyNoValue(const Node& input);

/// A spec for inputs of a graph, by their types and by what uses them: indices are within the table that they index,
/// classes are as many as a loss has, probabilities are between 0 and 1, and what a square root or a logarithm is taken
/// of is positive. `differentiable`: which of them require a gradient.
InputSpec printedInputSpec(const std::vector<Node*>& inputs, const std::vector<bool>& differentiable);

}  // namespace aotscope
