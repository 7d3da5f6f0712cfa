#pragma once

#include <string>

namespace aotscope {

/// The definitions of the functions and types of ours that `body`, a text in CUDA C++, uses.
std::string cudaFunctions(const std::string& body);

}  // namespace aotscope
