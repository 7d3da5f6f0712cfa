#pragma once

#include "ir/graph.h"
#include "program/inputs/input_spec.h"

#include <string>
#include <vector>

namespace aotscope {

/// Why no value can be created for `input` from printed information, as a clause; empty if one can.
std::string whyNoValue(const Node& input);

/// A spec for inputs of a graph, by their types and uses: indices are within their table, class numbers are valid for
/// the loss, probabilities are between 0 and 1, and operands of square roots and logarithms are positive.
/// `differentiable`: which of them require grad.
InputSpec printedInputSpec(const std::vector<Node*>& inputs, const std::vector<bool>& differentiable);

}  // namespace aotscope
