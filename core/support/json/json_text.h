#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace aotscope {

/// JSON has no numbers that are not finite: they are written as "inf", "-inf" and "nan". Everything that writes JSON
/// for others uses these two. What is no UTF-8, as in names that files give, is replaced.

/// JSON in one line.
std::string jsonLine(const nlohmann::json& value);
/// An indented document that ends with a newline.
std::string jsonText(const nlohmann::json& document);

/// The number, also where it is written as such a text; nothing for anything else.
std::optional<double> jsonNumber(const nlohmann::json& value);

}  // namespace aotscope
