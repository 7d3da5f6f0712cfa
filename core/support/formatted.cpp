#include "support/formatted.h"

namespace aotscope {

std::string formatBytes(std::int64_t bytes) {
    constexpr std::array<const char*, 5> units = {"B", "kB", "MB", "GB", "TB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 1000 && unit + 1 < units.size()) value /= 1000, ++unit;
    return unit == 0 ? std::to_string(bytes) + " B"
                     : formatted(value < 10    ? "%.2f %s"
                                 : value < 100 ? "%.1f %s"
                                               : "%.0f %s",
                                 value, units[unit]);
}

std::string formatMs(double ms) { return formatted(ms < 1 ? "%.3f" : ms < 10 ? "%.2f" : "%.1f", ms); }

}  // namespace aotscope
