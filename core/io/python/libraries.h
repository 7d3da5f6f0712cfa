#pragma once

#include "ir/graph.h"

#include <string>
#include <vector>

namespace aotscope {

/// Lines of Python below the imports of a program that calls these graphs: they import what registers the operators of
/// other libraries than PyTorch, as far as that is known, and end the program with a sentence where one is missing.
/// Empty if PyTorch has all of them.
std::string pythonLibraries(const std::vector<const Graph*>& graphs);

}  // namespace aotscope
