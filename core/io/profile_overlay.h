#pragma once

#include "cost/profile/joined_profile.h"
#include "io/overlay.h"

namespace aotscope {

/// How long each node took in a profile, in milliseconds a step, to colour the graphs by; in the joint graph, forward
/// and backward together. The time of a group is that of its last node.
Overlay overlayOf(const JoinedProfile& profile, const CompileRecord& record);

}  // namespace aotscope
