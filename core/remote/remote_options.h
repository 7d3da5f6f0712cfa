#pragma once

#include "record/options/options.h"

#include <nlohmann/json.hpp>

namespace aotscope {

/// All options of a run: those in session files, and those that are never saved, since they come from this user and not
/// from a file; the model by its name where it is opened. Reading throws Error.
nlohmann::json allOptionsJson(const Options& options);
Options allOptionsFrom(const nlohmann::json& from);

/// Which of the options given here were used there: to send, and to apply the result.
nlohmann::json optionUseJson(const Options& options);
void takeOptionUse(const nlohmann::json& use, const Options& options);

nlohmann::json kindsJson(const OperatorKinds& kinds);
OperatorKinds kindsFrom(const nlohmann::json& from);

}  // namespace aotscope
