#include "controllers/size_options.h"

#include "support/error.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <sstream>

namespace aotscope {

namespace {

std::optional<std::int64_t> integer(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    return failure == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

struct Unit {
    std::string_view name;
    double bytes;
};
constexpr Unit kUnits[] = {{"", 1},
                           {"B", 1},
                           {"kB", 1e3},
                           {"MB", 1e6},
                           {"GB", 1e9},
                           {"TB", 1e12},
                           {"KiB", 1024},
                           {"MiB", 1024 * 1024},
                           {"GiB", 1024.0 * 1024 * 1024}};

}  // namespace

DynamicRange parseDynamicRange(const std::string& text) {
    DynamicRange range;
    const auto equals = text.find('='), dots = text.find("..", equals == std::string::npos ? text.size() : equals);
    range.name = text.substr(0, equals);
    const auto fail = [&] {
        throw UsageError("--dynamic " + text + ": NAME=MIN..MAX is expected, for example batch=2..64");
    };
    if (range.name.empty() || (equals != std::string::npos && dots == std::string::npos)) fail();
    if (equals == std::string::npos) return range;
    const auto min = integer(std::string_view(text).substr(equals + 1, dots - equals - 1));
    const std::string_view end = std::string_view(text).substr(dots + 2);
    const auto max = end.empty() ? std::optional(Symbol::kNoMax) : integer(end);
    if (!min || !max || *min < 0 || *max < *min) fail();
    range.min = *min;
    range.max = *max;
    return range;
}

std::int64_t parseMemory(const std::string& text) {
    constexpr double least = 1e6, most = 1e15;
    double number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    while (unit.starts_with(' ')) unit.remove_prefix(1);
    const Unit* known = std::ranges::find(kUnits, unit, &Unit::name);
    if (failure != std::errc{} || known == std::end(kUnits) || !(number * known->bytes >= least) ||
        number * known->bytes > most)
        throw UsageError("--memory-limit " + text +
                         ": a size of at least 1 MB is expected, a number with kB, MB, GB, TB, KiB, MiB or GiB, for "
                         "example 2GB");
    return static_cast<std::int64_t>(number * known->bytes);
}

SymbolValues parseSizes(const std::string& text) {
    const auto fail = [&] {
        throw UsageError("--at " + text + ": NAME=SIZE[,NAME=SIZE...] is expected, for example batch=4,length=7");
    };
    SymbolValues sizes;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) {
        const auto equals = part.find('=');
        const auto value =
            equals == std::string::npos ? std::nullopt : integer(std::string_view(part).substr(equals + 1));
        if (equals == 0 || !value || *value < 0) fail();
        if (!sizes.emplace(part.substr(0, equals), *value).second)
            throw UsageError("--at " + text + ": two sizes for '" + part.substr(0, equals) + "'; give one");
    }
    if (sizes.empty()) fail();
    return sizes;
}

}  // namespace aotscope
