#pragma once

#include "ir/graph.h"

#include <functional>
#include <string>

namespace aotscope {

/// How a graph's values are named in Python.
struct PythonNaming {
    std::function<std::string(const Node*)> node;
    std::function<std::string(const Graph*)> subgraph;
};

/// An argument as FX writes it: "torch.float32", "device(type='cpu')", "[1, x]", "(1+2j)".
std::string pythonArgument(const Argument& argument, const PythonNaming& naming);

/// Several arguments as a tuple: "(x,)".
std::string pythonTuple(const Argument::List& elements, const PythonNaming& naming);

/// The right-hand side of the line that computes `node`: "torch.ops.aten.add.Tensor(x, y)", "x[0]", "s0 * 2".
std::string pythonCall(const Node& node, const PythonNaming& naming);

}  // namespace aotscope
