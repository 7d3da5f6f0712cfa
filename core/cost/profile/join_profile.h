#pragma once

#include "cost/profile/joined_profile.h"
#include "load/profile/profile.h"
#include "load/trace_log/generated_code.h"
#include "support/progress.h"

namespace aotscope {

/// Joins what the profile has with the nodes of the executed graphs. What could belong to several nodes, or to none, is
/// left out; a profile of another model is not forced onto the graphs.
/// `code`: of the same compilation, as its log has it, for its own word on what kernels compute.
JoinedProfile joinProfile(const Profile& profile, const CompileRecord& record,
                          const std::vector<GeneratedCode>& code = {}, const Progress& progress = {});

}  // namespace aotscope
