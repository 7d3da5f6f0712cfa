#pragma once

#include "cost/profile/joined_profile.h"
#include "record/table.h"

namespace aotscope {

/// What a profile has, with the nodes that it was joined with, the longest first.
Table profileTable(const JoinedProfile& profile, const CompileRecord& record);

/// What could not be joined, with the reasons.
Table unjoinedTable(const JoinedProfile& profile);

}  // namespace aotscope
