#pragma once

#include "record/trace_log.h"

#include <nlohmann/json_fwd.hpp>

namespace aotscope {

/// The stack under `key` in a record, outermost first, with file names; empty if missing.
std::vector<CodePlace> stackIn(const nlohmann::json& record, const char* key, const std::vector<std::string>& sources);

/// A text or number under `key` as text; empty if missing.
std::string textIn(const nlohmann::json& record, const char* key);
/// 0 if missing.
double numberIn(const nlohmann::json& record, const char* key);
std::vector<std::string> textsIn(const nlohmann::json& record, const char* key);

}  // namespace aotscope
