#include "load/exported/export_json.h"

#include "support/error.h"
#include "support/json/bounded_json.h"

#include <limits>

namespace aotscope {

double numberOrName(const JsonValue& json) {
    if (!json.isText()) return json.number();
    if (json.text() == "Infinity") return std::numeric_limits<double>::infinity();
    if (json.text() == "-Infinity") return -std::numeric_limits<double>::infinity();
    if (json.text() == "NaN") return std::numeric_limits<double>::quiet_NaN();
    json.fail("a number");
}

nlohmann::json parseJson(std::string_view text, const std::string& name) {
    try {
        return parseBounded(text);
    } catch (const Error& e) {
        throw Error(name + " " + e.what() + std::string(kSaveAgain));
    } catch (const nlohmann::json::exception& e) {
        throw Error(name + " is not JSON (" + invalidJson(e) + ")" + std::string(kSaveAgain));
    }
}

}  // namespace aotscope
