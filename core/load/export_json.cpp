#include "load/export_json.h"

#include "support/bounded_json.h"
#include "support/error.h"
#include "support/quoted.h"

#include <limits>

namespace aotscope {

namespace {

constexpr std::size_t kLongestShown = 40;

/// The path of a member; a path that ends with a colon names the document.
std::string below(const std::string& path, std::string_view key) {
    return path + (path.ends_with(':') ? " " : ".") + std::string(key);
}

std::string shown(const nlohmann::json& value) {
    if (value.is_object() || value.is_array())
        return "an " + std::string(value.type_name()) + " of " + std::to_string(value.size());
    std::string text = value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
    if (text.size() > kLongestShown) text = text.substr(0, kLongestShown) + "...";
    return text;
}

}  // namespace

std::int64_t JsonValue::integer() const {
    if (!value_->is_number_integer() ||
        (value_->is_number_unsigned() &&
         value_->get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())))
        fail("an integer");
    return value_->get<std::int64_t>();
}

double JsonValue::number() const {
    if (value_->is_number()) return value_->get<double>();
    if (value_->is_string()) {
        const auto& text = value_->get_ref<const std::string&>();
        if (text == "Infinity") return std::numeric_limits<double>::infinity();
        if (text == "-Infinity") return -std::numeric_limits<double>::infinity();
        if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
    }
    fail("a number");
}

bool JsonValue::boolean() const {
    if (!value_->is_boolean()) fail("true or false");
    return value_->get<bool>();
}

const std::string& JsonValue::text() const {
    if (!value_->is_string()) fail("a string");
    return value_->get_ref<const std::string&>();
}

bool JsonValue::isNull() const { return value_->is_null(); }

JsonValue JsonValue::operator[](std::string_view key) const {
    if (auto member = find(key)) return *std::move(member);
    throw Error(path_ + ": member " + inQuotes(key) + " is missing; save the model again");
}

std::optional<JsonValue> JsonValue::find(std::string_view key) const {
    if (!value_->is_object()) fail("an object");
    const auto it = value_->find(key);
    if (it == value_->end() || it->is_null()) return std::nullopt;
    return JsonValue(*it, below(path_, key));
}

std::size_t JsonValue::size() const { return value_->size(); }

void JsonValue::forEachElement(const std::function<void(const JsonValue&)>& visit) const {
    if (!value_->is_array()) fail("a list");
    for (std::size_t i = 0; i < value_->size(); ++i)
        visit(JsonValue((*value_)[i], path_ + "[" + std::to_string(i) + "]"));
}

void JsonValue::forEachMember(const std::function<void(const std::string&, const JsonValue&)>& visit) const {
    if (!value_->is_object()) fail("an object");
    for (const auto& [key, value] : value_->items()) visit(key, JsonValue(value, below(path_, key)));
}

std::pair<std::string, JsonValue> JsonValue::alternative() const {
    if (!value_->is_object() || value_->size() != 1) fail("an object with one member");
    const auto it = value_->begin();
    return {it.key(), JsonValue(*it, below(path_, it.key()))};
}

void JsonValue::fail(const std::string& expected) const {
    throw Error(path_ + ": expected " + expected + ", found " + shown(*value_) + "; save the model again");
}

nlohmann::json parseJson(std::string_view text, const std::string& name) {
    try {
        return parseBounded(text);
    } catch (const Error& e) {
        throw Error(name + " " + e.what() + "; save the model again");
    } catch (const nlohmann::json::exception& e) {
        throw Error(name + " is not JSON (" + firstSentence(e.what()) + "); save the model again");
    }
}

}  // namespace aotscope
