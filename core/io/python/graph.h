#pragma once

#include "ir/graph.h"

#include <string>
#include <vector>

namespace aotscope {

/// The name of `graph` as that of a class.
std::string pythonClassName(const Graph& graph);

/// `graph` as the class `className` of Python, a torch.nn.Module whose forward() computes it, in the style of FX's
/// print_readable(): types as annotations, where a node comes from as comments, values freed behind their last use. The
/// graphs that its operators run are classes within it. forward() reads these and constants as attributes, which an
/// instance must have.
std::string pythonModule(const Graph& graph, const std::string& className);

/// The constants of `graph` and of the graphs within, each once.
std::vector<const Node*> constantsWithin(const Graph& graph);

}  // namespace aotscope
