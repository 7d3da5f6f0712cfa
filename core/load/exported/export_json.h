#pragma once

#include "support/json/json_value.h"

#include <string>
#include <string_view>

namespace aotscope {

/// Stands behind what is said of a record of an exported program.
inline constexpr std::string_view kSaveAgain = "; save the model again";

/// A number, or one of the strings "Infinity", "-Infinity" and "NaN".
double numberOrName(const JsonValue& json);

/// Parses a document with a limit on nesting. `name` is what errors call it.
nlohmann::json parseJson(std::string_view text, const std::string& name);

}  // namespace aotscope
