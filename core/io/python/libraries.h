#pragma once

#include "ir/graph.h"

#include <string>
#include <vector>

namespace aotscope {

/// Python code after the imports of a program that calls these graphs: imports the libraries other than PyTorch that
/// register operators, where known, and exits with an error if an operator is missing. Empty if PyTorch has all of
/// them.
std::string pythonLibraries(const std::vector<const Graph*>& graphs);

}  // namespace aotscope
