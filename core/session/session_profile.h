#pragma once

#include "cost/profile/joined_profile.h"
#include "session/session.h"

#include <filesystem>

namespace aotscope {

/// A file of torch.profiler on the graphs of a session; what Inductor has generated is taken from the session's log, if
/// it is one of TORCH_TRACE. Throws Error for files that are none, and if the session has no graphs; Cancelled.
JoinedProfile profileOn(const Session& session, const std::filesystem::path& file, const Progress& progress);

}  // namespace aotscope
