#pragma once

#include "record/compile_story.h"

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace aotscope {

/// The conditions in Dynamo's guard tree (`dynamo_cpp_guards_str`), each with the value that it checks.
std::vector<LoggedGuard> readGuardTree(std::string_view text);
/// The same for older versions (`dynamo_guards`): a list of objects.
std::vector<LoggedGuard> readGuardList(const nlohmann::json& list);

}  // namespace aotscope
