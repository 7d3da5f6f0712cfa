#pragma once

#include <string>

namespace aotscope {

/// The definitions of our functions and types that the CUDA C++ text `body` uses.
std::string cudaFunctions(const std::string& body);

}  // namespace aotscope
