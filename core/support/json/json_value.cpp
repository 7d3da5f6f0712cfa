#include "support/json/json_value.h"

#include "support/error.h"
#include "support/joined.h"
#include "support/quoted.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace aotscope {

namespace {

constexpr std::size_t kLongestShown = 40;

std::string shown(const nlohmann::json& value) {
    if (value.is_binary()) return "bytes";
    if (value.is_structured() && !value.empty())
        return (value.is_object() ? "an object of " : "a list of ") + std::to_string(value.size());
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

std::uint64_t JsonValue::natural() const {
    if (!value_->is_number_unsigned()) fail("a number from 0 on");
    return value_->get<std::uint64_t>();
}

double JsonValue::number() const {
    if (!isNumber()) fail("a number");
    return value_->get<double>();
}

bool JsonValue::boolean() const {
    if (!value_->is_boolean()) fail("true or false");
    return value_->get<bool>();
}

const std::string& JsonValue::text() const {
    if (!isText()) fail("a string");
    return value_->get_ref<const std::string&>();
}

std::string_view JsonValue::bytes() const {
    if (!value_->is_binary()) fail("bytes");
    const auto& bytes = value_->get_binary();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

const nlohmann::json& JsonValue::list() const {
    if (!isList()) fail("a list");
    return *value_;
}

const nlohmann::json& JsonValue::object() const {
    if (!isObject()) fail("an object");
    return *value_;
}

bool JsonValue::isNull() const { return value_->is_null(); }
bool JsonValue::isNumber() const { return value_->is_number(); }
bool JsonValue::isText() const { return value_->is_string(); }
bool JsonValue::isList() const { return value_->is_array(); }
bool JsonValue::isObject() const { return value_->is_object(); }

JsonValue JsonValue::operator[](std::string_view key) const {
    if (auto member = find(key)) return *std::move(member);
    refuse("the key " + inQuotes(key) + " is missing");
}

JsonValue JsonValue::operator[](std::size_t index) const {
    if (!isList() || index >= size()) fail("a list of more than " + std::to_string(index));
    return {(*value_)[index], path_ + (isDocument() ? " [" : "[") + std::to_string(index) + "]", advice_};
}

std::optional<JsonValue> JsonValue::find(std::string_view key) const {
    const auto it = object().find(key);
    if (it == value_->end() || it->is_null()) return std::nullopt;
    return below(*it, std::string(key));
}

std::size_t JsonValue::size() const { return value_->size(); }

void JsonValue::forEachElement(const std::function<void(const JsonValue&)>& visit) const {
    for (std::size_t i = 0; i < list().size(); ++i) visit((*this)[i]);
}

void JsonValue::forEachMember(const std::function<void(const std::string&, const JsonValue&)>& visit) const {
    for (const auto& [key, value] : object().items()) visit(key, below(value, key));
}

std::pair<std::string, JsonValue> JsonValue::alternative() const {
    if (!isObject() || size() != 1) fail("an object with one member");
    return {value_->begin().key(), below(*value_->begin(), value_->begin().key())};
}

void JsonValue::requireKeys(std::initializer_list<std::string_view> known,
                            std::span<const std::string_view> ignored) const {
    forEachMember([&](const std::string& key, const JsonValue&) {
        if (std::ranges::find(known, key) == known.end() && std::ranges::find(ignored, key) == ignored.end())
            refuse("unknown key " + inQuotes(key) + "; known keys are " + joined(known, ", "));
    });
}

void JsonValue::fail(const std::string& expected) const {
    refuse("expected " + expected + ", found " + shown(*value_));
}

void JsonValue::refuse(const std::string& why) const {
    throw Error(path_.substr(0, path_.size() - (isDocument() ? 1 : 0)) + ": " + why + std::string(advice_));
}

JsonValue JsonValue::below(const nlohmann::json& value, const std::string& key) const {
    return {value, path_ + (isDocument() ? " " : ".") + key, advice_};
}

}  // namespace aotscope
