#include "support/json/json_text.h"

#include "support/printable.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace aotscope {

namespace {

using nlohmann::json;

struct NotFinite {
    const char* text;
    double value;
};
constexpr std::array kNotFinite = {NotFinite{"inf", std::numeric_limits<double>::infinity()},
                                   NotFinite{"-inf", -std::numeric_limits<double>::infinity()},
                                   NotFinite{"nan", std::numeric_limits<double>::quiet_NaN()}};

bool isNotFinite(const json& value) { return value.is_number_float() && !std::isfinite(value.get<double>()); }

bool hasNotFinite(const json& value) {
    return value.is_structured() ? std::any_of(value.begin(), value.end(), hasNotFinite) : isNotFinite(value);
}

void spellNotFinite(json& value) {
    if (value.is_structured())
        for (json& element : value) spellNotFinite(element);
    else if (isNotFinite(value))
        value = std::isnan(value.get<double>()) ? "nan" : value.get<double>() > 0 ? "inf" : "-inf";
}

std::string dumped(const json& value, int indent) {
    constexpr auto replacing = json::error_handler_t::replace;
    if (!hasNotFinite(value)) return printableJson(value.dump(indent, ' ', false, replacing));
    json spelled = value;
    spellNotFinite(spelled);
    return printableJson(spelled.dump(indent, ' ', false, replacing));
}

}  // namespace

std::string jsonLine(const json& value) { return dumped(value, -1); }

std::string jsonText(const json& document) { return dumped(document, 1) + "\n"; }

std::optional<double> jsonNumber(const json& value) {
    if (value.is_number()) return value.get<double>();
    if (!value.is_string()) return std::nullopt;
    const auto* known = std::ranges::find(kNotFinite, value.get_ref<const std::string&>(), &NotFinite::text);
    return known == kNotFinite.end() ? std::nullopt : std::optional(known->value);
}

}  // namespace aotscope
