#include "support/json/message_members.h"

#include "support/json/bounded_json.h"
#include "support/json/json_text.h"

#include <limits>

namespace aotscope {

namespace {

using nlohmann::json;

std::string typeText(const json& value) {
    switch (value.type()) {
        case json::value_t::null: return "nothing";
        case json::value_t::object: return "an object";
        case json::value_t::array: return "a list";
        case json::value_t::string: return "a string";
        case json::value_t::boolean: return "a truth value";
        case json::value_t::number_integer: return "a negative number";
        case json::value_t::number_unsigned: return "a number";
        case json::value_t::number_float: return "a fraction";
        case json::value_t::binary: return "bytes";
        case json::value_t::discarded: break;
    }
    return "what is none";
}

[[noreturn]] void refuse(const char* key, const std::string& found, const char* expected) {
    throw Error(std::string("sends '") + key + "' as " + found + "; expected " + expected);
}

const json& checked(const json& message, const char* key, bool (json::*is)() const noexcept, const char* expected) {
    const json& member = memberOf(message, key);
    if (!(member.*is)()) refuse(key, typeText(member), expected);
    return member;
}

std::int64_t integerFrom(const json& value, const char* key) {
    const bool fits = value.is_number_integer() &&
                      (!value.is_number_unsigned() ||
                       value.get<std::uint64_t>() <= std::uint64_t{std::numeric_limits<std::int64_t>::max()});
    if (!fits) refuse(key, value.is_number_unsigned() ? "too large a number" : typeText(value), "a number");
    return value.get<std::int64_t>();
}

json bounded(std::string_view document, const JsonBounds& bounds) {
    json message;
    try {
        message = parseBounded(document, bounds);
    } catch (const json::exception&) {
        throw Error("sends a message that is damaged");
    } catch (const Error& e) {
        throw Error(std::string("sends a message that ") + e.what());
    }
    if (!message.is_object()) throw Error("sends " + typeText(message) + "; expected a message");
    return message;
}

}  // namespace

const json& memberOf(const json& message, const char* key) {
    const auto found = message.find(key);
    if (!message.is_object() || found == message.end())
        throw Error(std::string("sends a message without '") + key + "'");
    return *found;
}

std::string textOf(const json& message, const char* key) {
    return checked(message, key, &json::is_string, "a string").get<std::string>();
}

std::uint64_t numberOf(const json& message, const char* key) {
    return checked(message, key, &json::is_number_unsigned, "a number from 0 on").get<std::uint64_t>();
}

std::int64_t integerOf(const json& message, const char* key) { return integerFrom(memberOf(message, key), key); }

double realOf(const json& message, const char* key) {
    if (const auto number = jsonNumber(memberOf(message, key))) return *number;
    return checked(message, key, &json::is_number, "a number").get<double>();
}

bool truthOf(const json& message, const char* key) {
    return checked(message, key, &json::is_boolean, "a truth value").get<bool>();
}

std::string_view bytesOf(const json& message, const char* key) {
    const auto& bytes = checked(message, key, &json::is_binary, "bytes").get_binary();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

const json& objectOf(const json& message, const char* key) {
    return checked(message, key, &json::is_object, "an object");
}

const json& listOf(const json& message, const char* key) { return checked(message, key, &json::is_array, "a list"); }

std::vector<std::int64_t> integersOf(const json& message, const char* key) {
    std::vector<std::int64_t> integers;
    for (const json& each : listOf(message, key)) integers.push_back(integerFrom(each, key));
    return integers;
}

std::vector<std::string> textsOf(const json& message, const char* key) {
    std::vector<std::string> texts;
    for (const json& each : listOf(message, key)) {
        if (!each.is_string()) refuse(key, "a list with " + typeText(each), "strings");
        texts.push_back(each.get<std::string>());
    }
    return texts;
}

json bytesJson(std::string_view bytes) { return json::binary({bytes.begin(), bytes.end()}); }

json messageIn(std::string_view text) { return bounded(text, {}); }

json messageInCbor(std::string_view bytes, std::uint64_t memory) {
    return bounded(bytes, {.form = JsonBounds::Form::cbor, .memory = memory});
}

std::string cborOf(const json& message) {
    std::string bytes;
    json::to_cbor(message, bytes);
    return bytes;
}

}  // namespace aotscope
