#pragma once

#include "compile/compiler.h"
#include "compile/fused/fused_kernel.h"
#include "compile/fused/groups.h"

#include <functional>

namespace aotscope {

using KernelFactory = std::function<std::unique_ptr<FusedKernel>(const Kernel& kernel, const Device& device)>;

/// Runs chains of operations over the same positions as one kernel, so that intermediate values stay in registers; all
/// other operations run as in the interpreter, as do groups for which `make` throws Error.
std::unique_ptr<Compiler> makeFused(const GroupingOptions& options, KernelFactory make);
/// With the built-in kernels.
std::unique_ptr<Compiler> makeFused(const CompilerSettings& settings);

}  // namespace aotscope
