#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace aotscope {

/// A value of a JSON document that knows its path in it. Every accessor throws Error with that path, the expected and
/// the found value. The document must outlive it.
class JsonValue {
public:
    /// The whole document. `name` ends with the separator between it and a path: "spec.json,". `advice`: a literal
    /// appended to every error, "; save the model again".
    JsonValue(const nlohmann::json& document, std::string name, std::string_view advice = {})
        : value_(&document), path_(std::move(name)), advice_(advice) {}

    std::int64_t integer() const;
    std::uint64_t natural() const;
    double number() const;
    bool boolean() const;
    const std::string& text() const;
    std::string_view bytes() const;
    const nlohmann::json& list() const;
    const nlohmann::json& object() const;

    bool isNull() const;
    bool isNumber() const;
    bool isText() const;
    bool isList() const;
    bool isObject() const;
    /// As in the document.
    const nlohmann::json& raw() const { return *value_; }
    /// A required member.
    JsonValue operator[](std::string_view key) const;
    /// A required element.
    JsonValue operator[](std::size_t index) const;
    /// A member that may be missing or null.
    std::optional<JsonValue> find(std::string_view key) const;
    std::size_t size() const;
    void forEachElement(const std::function<void(const JsonValue&)>& visit) const;
    void forEachMember(const std::function<void(const std::string& key, const JsonValue&)>& visit) const;
    /// The only member of an object, whose key selects one of several alternatives.
    std::pair<std::string, JsonValue> alternative() const;
    /// Throws Error if an object has members other than those `known`; `ignored` ones are not listed in the error.
    void requireKeys(std::initializer_list<std::string_view> known,
                     std::span<const std::string_view> ignored = {}) const;

    [[noreturn]] void fail(const std::string& expected) const;
    /// Throws another error about the value.
    [[noreturn]] void refuse(const std::string& why) const;

private:
    JsonValue below(const nlohmann::json& value, const std::string& key) const;
    bool isDocument() const { return path_.ends_with(':') || path_.ends_with(','); }

    const nlohmann::json* value_;
    std::string path_;
    std::string_view advice_;
};

}  // namespace aotscope
