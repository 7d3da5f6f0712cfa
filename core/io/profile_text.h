#pragma once

#include "cost/profile/joined_profile.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace aotscope {

/// The device, the steps, and how much could be joined, in a line.
std::string profileSummary(const JoinedProfile& profile);

/// The device, how much could be joined, and the longest rows of both tables. `most`: of each.
std::string profileText(const JoinedProfile& profile, const CompileRecord& record, std::size_t most);

/// Everything, as reports have it; times are totals over the whole file in milliseconds.
nlohmann::json profileJson(const JoinedProfile& profile, const CompileRecord& record);

}  // namespace aotscope
