#pragma once

#include "ir/graph.h"

#include <string>
#include <vector>

namespace aotscope {

/// The name of `graph` as a class name.
std::string pythonClassName(const Graph& graph);

/// `graph` as the Python class `className`, a torch.nn.Module whose forward() computes it, in the style of FX's
/// print_readable(): types as annotations, origins of nodes as comments, values freed after their last use. Subgraphs
/// are nested classes. forward() reads them and constants as attributes, which an instance must have.
std::string pythonModule(const Graph& graph, const std::string& className);

/// The constants of `graph` and its subgraphs, each once.
std::vector<const Node*> constantsWithin(const Graph& graph);

}  // namespace aotscope
