#pragma once

#include "compile/fused/fused_kernel.h"

namespace aotscope::test {

/// Runs a kernel instruction by instruction with LibTorch's operators, as the reference for other ways to run it.
std::unique_ptr<FusedKernel> makeNaiveKernel(const Kernel& kernel);

}  // namespace aotscope::test
