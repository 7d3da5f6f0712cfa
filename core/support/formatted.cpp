#include "support/formatted.h"

#include "support/names.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace aotscope {

namespace {

/// Above this, a value would be written as "1000": the next unit is used.
constexpr double kNextUnit = 999.5;

template <typename Real>
std::string shortest(Real value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    std::array<char, 32> buffer{};
    std::string text(buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string withDigits(double value, int digits) {
    if (value == 0) return "0";
    if (!(std::abs(value) < 0x1p63)) return formatted("%g", value);
    if (std::abs(value) >= kNextUnit)
        return (value < 0 ? "-" : "") + grouped(static_cast<std::size_t>(std::llround(std::abs(value))));
    // The exponent of the rounded value: 9.996 has two digits before the point.
    const std::string scientific = formatted("%.*e", digits - 1, value);
    const int exponent = std::stoi(scientific.substr(scientific.find('e') + 1));
    return formatted("%.*f", std::max(0, digits - 1 - exponent), value);
}

std::string durationWith(double ms, int digits) {
    if (ms == 0) return "0 ms";
    const double size = std::abs(ms);
    if (size * 1000 < kNextUnit) return withDigits(ms * 1000, digits) + " µs";
    return size < kNextUnit ? withDigits(ms, digits) + " ms" : withDigits(ms / 1000, digits) + " s";
}

}  // namespace

std::string exactReal(double value) { return shortest(value); }
std::string exactReal(float value) { return shortest(value); }

std::string threeDigits(double value) { return withDigits(value, 3); }

std::string formatBytes(std::int64_t bytes) {
    constexpr std::array<const char*, 5> units = {"B", "kB", "MB", "GB", "TB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (std::abs(value) >= kNextUnit && unit + 1 < units.size()) value /= 1000, ++unit;
    return unit == 0 ? std::to_string(bytes) + " B" : threeDigits(value) + " " + units[unit];
}

std::string formatDuration(double ms) { return durationWith(ms, 3); }

std::string formatEstimate(double ms) {
    constexpr double roundable = 1e300;
    return durationWith(std::abs(ms) < roundable ? std::stod(formatted("%.1e", ms)) : ms, 2);
}

}  // namespace aotscope
