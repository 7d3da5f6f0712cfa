#pragma once

#include "compile/fused/cuda_launch.h"

#include <string>

namespace aotscope::test {

/// The machine's C++ compiler; empty if there is none.
std::string hostCompiler();

/// Runs the translation of a kernel on the processor: compiles it as C++ (support/host_cuda.h) and makes the call.
/// Returns why that failed; empty if it went well.
std::string runEmulated(const std::string& text, const CudaLaunch& launch);

}  // namespace aotscope::test
