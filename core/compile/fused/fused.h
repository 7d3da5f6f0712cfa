#pragma once

#include "compile/compiler.h"
#include "compile/fused/fused_kernel.h"
#include "compile/fused/groups.h"

#include <functional>

namespace aotscope {

using KernelFactory = std::function<std::unique_ptr<FusedKernel>(const Kernel& kernel, const Device& device)>;

/// Runs operations that follow from each other and go over the same positions as one kernel, so that what passes
/// between them stays in registers; all others as the interpreter does. Groups whose kernels cannot be made are run so,
/// too: `make` throws Error for them.
std::unique_ptr<Compiler> makeFused(const GroupingOptions& options, KernelFactory make);
/// With the kernels of this program.
std::unique_ptr<Compiler> makeFused(const CompilerSettings& settings);

}  // namespace aotscope
