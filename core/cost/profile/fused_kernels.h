#pragma once

#include "cost/profile/profile_sites.h"
#include "load/trace_log/generated_code.h"

namespace aotscope {

/// Joins Inductor's kernels by the operators in their names.
///
/// "triton_poi_fused_add_relu_0" computes at least one addition and one relu. Which ones, the calls of operators that
/// are already joined tell: a kernel runs after those that its nodes depend on, and before those that depend on them. A
/// node belongs to a kernel if it is the only one that the name can mean there, or if no other kernel can compute it.
///
/// If the log of the compilation is there, and Inductor has noted in it which nodes each kernel computes, that counts
/// instead, and so do the lines of code that it has written beside kernels in the profile.
///
/// Adds sites for the operations that have the kernels' names, and returns a site, or -1, for each activity of the GPU.
std::vector<std::int32_t> siteKernels(const Profile& profile, const std::vector<GraphCalls>& graphs,
                                      const OperatorKeys& keys, const std::vector<GeneratedCode>& code,
                                      OperationSites& operations);

/// The keys of the operators in the name of a kernel; empty if it has others.
std::vector<int> operatorsInName(std::string_view kernel, const OperatorKeys& keys);

}  // namespace aotscope
