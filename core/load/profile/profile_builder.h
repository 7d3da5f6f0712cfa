#pragma once

#include "load/profile/profile_events.h"

namespace aotscope {

/// Nests operations, and finds for each kernel the operation that launched it.
Profile buildProfile(ProfileEvents events, const Progress& progress);

}  // namespace aotscope
