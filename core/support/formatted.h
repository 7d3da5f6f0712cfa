#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>

namespace aotscope {

/// printf for short texts: at most 159 bytes.
template <typename... Args>
std::string formatted(const char* pattern, Args... args) {
    std::array<char, 160> buffer{};
    std::snprintf(buffer.data(), buffer.size(), pattern, args...);
    return buffer.data();
}

/// The shortest text that is read back as the same number, with a point or an exponent: "0.1", "2.0", "1e-05", "-inf".
std::string exactReal(double value);
std::string exactReal(float value);

/// Three significant digits, for columns with the unit in their title: "0.0123", "1.23", "123"; integers from 1000 on:
/// "12,346".
std::string threeDigits(double value);

std::string formatBytes(std::int64_t bytes);  ///< three significant digits, in SI units: "14.2 MB"
std::string formatDuration(double ms);        ///< three significant digits: "850 µs", "12.3 ms", "2.50 s"
std::string formatEstimate(double ms);        ///< the same with two digits, for estimated times: "1.3 ms"

}  // namespace aotscope
