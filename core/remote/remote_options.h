#pragma once

#include "record/options.h"

#include <nlohmann/json.hpp>

namespace aotscope {

/// All options of a run: those of session files, and those that are never saved, as they come from this user and not
/// from a file. Reading throws Error.
nlohmann::json allOptionsJson(const Options& options);
Options allOptionsFrom(const nlohmann::json& from);

nlohmann::json kindsJson(const OperatorKinds& kinds);
OperatorKinds kindsFrom(const nlohmann::json& from);

}  // namespace aotscope
