#include "io/tables/duration_column.h"

#include "support/formatted.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace aotscope {

std::vector<std::string> durationColumn(const std::vector<double>& ms) {
    constexpr double most = 999'999.5;
    constexpr std::array<std::pair<double, const char*>, 3> units = {{{1e-3, " µs"}, {1, " ms"}, {1e3, " s"}}};
    double shortest = 0, longest = 0;
    for (const double each : ms) {
        const double size = std::abs(each);
        if (size > 0 && (shortest == 0 || size < shortest)) shortest = size;
        longest = std::max(longest, size);
    }
    if (shortest == 0) shortest = units[1].first;
    std::size_t unit = 0;
    while (unit + 1 < units.size() && (shortest >= units[unit + 1].first || longest >= most * units[unit].first))
        ++unit;
    std::vector<std::string> texts;
    for (const double each : ms) texts.push_back(threeDigits(each / units[unit].first) + units[unit].second);
    return texts;
}

}  // namespace aotscope
