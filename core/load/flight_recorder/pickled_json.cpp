#include "load/flight_recorder/pickled_json.h"

#include "support/error.h"
#include "support/quoted.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace aotscope {

namespace {

using Kind = PickleValue::Kind;

/// Values may be shared, and hold themselves.
constexpr int kDeepestInDump = 20;
constexpr std::size_t kMostInOne = 1'000'000;
constexpr std::size_t kTextOfAValue = 64;  ///< bytes that count as one value
constexpr std::size_t kMostInAll = 10'000'000;

class Conversion {
public:
    /// The next value, which may be as large as any.
    nlohmann::json next(const PickleValue& value) {
        all_ += std::exchange(count_, 0);
        if (all_ > kMostInAll) throw Error("has more than " + std::to_string(kMostInAll) + " values");
        return of(value, 0);
    }

    static std::string keyOf(const PickleValue& key) {
        return key.is(Kind::integer) ? std::to_string(key.integer) : key.text;
    }

private:
    nlohmann::json of(const PickleValue& value, int depth) {
        if (depth > kDeepestInDump)
            throw Error("nests its values more than " + std::to_string(kDeepestInDump) + " levels deep");
        count_ += 1 + value.text.size() / kTextOfAValue;
        if (count_ > kMostInOne) throw Error("has more than " + std::to_string(kMostInOne) + " values in one entry");
        switch (value.kind) {
            case Kind::none: return nullptr;
            case Kind::boolean: return value.integer != 0;
            case Kind::integer: return value.integer;
            case Kind::real: return value.real;
            case Kind::text: return value.text;
            case Kind::list:
            case Kind::tuple: {
                nlohmann::json list = nlohmann::json::array();
                for (const PickleValue* const item : value.items) list.push_back(of(*item, depth + 1));
                return list;
            }
            case Kind::dict: {
                nlohmann::json object = nlohmann::json::object();
                for (const auto& [key, held] : value.entries) object[keyOf(*key)] = of(*held, depth + 1);
                return object;
            }
            default: throw Error("is not a dump of the flight recorder: it makes a Python object");
        }
    }

    std::size_t count_ = 0, all_ = 0;  ///< values in this one, and in those before
};

}  // namespace

PickledJson::PickledJson(std::string_view pickle) try : document_(pickle) {
} catch (const Error& e) {
    throw Error(std::string("cannot be read: ") + e.what());
}

const PickleValue* PickledJson::find(std::string_view key) const {
    if (!document_.root().is(Kind::dict)) return nullptr;
    for (const auto& [name, value] : document_.root().entries)
        if (name->is(Kind::text) && name->text == key) return value;
    return nullptr;
}

nlohmann::json PickledJson::without(std::string_view key) const {
    nlohmann::json object = nlohmann::json::object();
    Conversion conversion;
    for (const auto& [name, value] : document_.root().entries)
        if (Conversion::keyOf(*name) != key) object[Conversion::keyOf(*name)] = conversion.next(*value);
    return object;
}

void PickledJson::forEachIn(std::string_view key, const std::function<void(const nlohmann::json&)>& visit) const {
    const PickleValue* const list = find(key);
    if (!list || !list->is(Kind::list)) throw Error("has no list of " + std::string(key));
    Conversion conversion;
    for (const PickleValue* const item : list->items) visit(conversion.next(*item));
}

}  // namespace aotscope
