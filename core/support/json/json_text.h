#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace aotscope {

/// JSON has no non-finite numbers: they are written as "inf", "-inf" and "nan". All JSON for others is written by these
/// two. Invalid UTF-8, as in names from files, is replaced.

/// JSON on one line.
std::string jsonLine(const nlohmann::json& value);
/// An indented document that ends with a newline.
std::string jsonText(const nlohmann::json& document);

/// The number, even if it is written as such a text; nothing for anything else.
std::optional<double> jsonNumber(const nlohmann::json& value);

}  // namespace aotscope
