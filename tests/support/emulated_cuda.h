#pragma once

#include "compile/fused/cuda/launch.h"

#include <string>

namespace aotscope::test {

/// The C++ compiler of this machine; empty: none.
std::string hostCompiler();

/// Runs the CUDA source of a kernel on the CPU: compiles it as C++ (support/host_cuda.h) and calls it.
/// Returns the error; empty if it succeeded.
std::string runEmulated(const std::string& text, const CudaLaunch& launch);

}  // namespace aotscope::test
