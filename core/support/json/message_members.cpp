#include "support/json/message_members.h"

#include "support/json/bounded_json.h"
#include "support/json/json_text.h"
#include "support/json/json_value.h"

namespace aotscope {

namespace {

using nlohmann::json;

JsonValue valueOf(const json& message, const char* key) {
    return {memberOf(message, key), std::string("sends '") + key + "'"};
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
    JsonValue(message, "sends a message").object();
    return message;
}

}  // namespace

const json& memberOf(const json& message, const char* key) {
    const auto found = message.find(key);
    if (!message.is_object() || found == message.end())
        throw Error(std::string("sends a message without '") + key + "'");
    return *found;
}

std::string textOf(const json& message, const char* key) { return valueOf(message, key).text(); }
std::uint64_t numberOf(const json& message, const char* key) { return valueOf(message, key).natural(); }
std::int64_t integerOf(const json& message, const char* key) { return valueOf(message, key).integer(); }

double realOf(const json& message, const char* key) {
    const JsonValue value = valueOf(message, key);
    const auto number = jsonNumber(value.raw());
    return number ? *number : value.number();
}

bool truthOf(const json& message, const char* key) { return valueOf(message, key).boolean(); }
std::string_view bytesOf(const json& message, const char* key) { return valueOf(message, key).bytes(); }
const json& objectOf(const json& message, const char* key) { return valueOf(message, key).object(); }
const json& listOf(const json& message, const char* key) { return valueOf(message, key).list(); }

std::vector<std::int64_t> integersOf(const json& message, const char* key) {
    std::vector<std::int64_t> integers;
    valueOf(message, key).forEachElement([&](const JsonValue& each) { integers.push_back(each.integer()); });
    return integers;
}

std::vector<std::string> textsOf(const json& message, const char* key) {
    std::vector<std::string> texts;
    valueOf(message, key).forEachElement([&](const JsonValue& each) { texts.push_back(each.text()); });
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
