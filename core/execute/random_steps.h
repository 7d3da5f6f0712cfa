#pragma once

#include "execute/plan.h"

#include <c10/core/Device.h>

namespace aotscope {

/// The state of the default generator of `device`, as a new tensor.
std::shared_ptr<const StepKernel> rngStateKernel(c10::Device device);

/// Runs `op` with the RNG state in its last operand, after its own arguments, and restores the generator.
std::shared_ptr<const StepKernel> drawAgainKernel(const c10::OperatorHandle& op, c10::Device device);

}  // namespace aotscope
