#pragma once

#include "support/json/json_value.h"

#include <string>
#include <string_view>

namespace aotscope {

/// Follows errors about a record of an exported program.
inline constexpr std::string_view kSaveAgain = "; save the model again";

/// A number, or one of the strings "Infinity", "-Infinity" and "NaN".
double numberOrName(const JsonValue& json);

/// Parses a document with limited nesting. `name` is for errors.
nlohmann::json parseJson(std::string_view text, const std::string& name);

}  // namespace aotscope
