#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace aotscope {

/// A value of a JSON document that knows its path in it. Every accessor throws Error with that path, the expected and
/// the found value. The document must outlive it.
class JsonValue {
public:
    JsonValue(const nlohmann::json& value, std::string path) : value_(&value), path_(std::move(path)) {}

    std::int64_t integer() const;
    /// Also accepts the strings "Infinity", "-Infinity" and "NaN".
    double number() const;
    bool boolean() const;
    const std::string& text() const;

    bool isNull() const;
    /// As it is in the document.
    const nlohmann::json& raw() const { return *value_; }
    /// A required member.
    JsonValue operator[](std::string_view key) const;
    /// A member that may be missing or null.
    std::optional<JsonValue> find(std::string_view key) const;
    std::size_t size() const;
    void forEachElement(const std::function<void(const JsonValue&)>& visit) const;
    void forEachMember(const std::function<void(const std::string& key, const JsonValue&)>& visit) const;
    /// The only member of an object, whose key selects one of several alternatives.
    std::pair<std::string, JsonValue> alternative() const;

    [[noreturn]] void fail(const std::string& expected) const;

private:
    const nlohmann::json* value_;
    std::string path_;
};

/// Parses a document with a limit on nesting. `name` is what errors call it.
nlohmann::json parseJson(std::string_view text, const std::string& name);

}  // namespace aotscope
