#pragma once

#include "compile/fused/fused_kernel.h"
#include "compile/fused/groups.h"
#include "execute/plan.h"

namespace aotscope {

/// A group as a step of a plan: takes the group's inputs, bases and numbers, and returns its outputs.
std::unique_ptr<const StepKernel> makeGroupCall(const FusionGroup& group, std::unique_ptr<const FusedKernel> kernel);

}  // namespace aotscope
