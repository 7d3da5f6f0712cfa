#include "support/names.h"

#include "support/quoted.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace aotscope {

std::string quotedNames(const std::vector<std::string>& names) {
    constexpr std::size_t most = 40;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, names.size()); ++i) text += (i > 0 ? ", " : "") + inQuotes(names[i]);
    return names.size() > most ? text + ", ..." : text;
}

namespace {

constexpr std::size_t kLongestTyped = 200;  ///< longer names are not mistyped, and comparing them takes quadratic time

/// Letters to add, remove or replace to turn one name into the other.
std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

}  // namespace

std::vector<std::string> similarNames(std::string_view name, const std::vector<std::string>& names) {
    constexpr std::size_t shown = 3;
    std::vector<std::pair<std::size_t, std::string>> similar;
    for (const auto& other : names) {
        const std::size_t apart = std::max(name.size(), other.size()) - std::min(name.size(), other.size());
        if (!name.empty() && other.find(name) != std::string::npos) similar.emplace_back(apart, other);
        else if (const std::size_t most = 1 + name.size() / 4; apart <= most && name.size() <= kLongestTyped)
            if (const std::size_t distance = editDistance(name, other); distance <= most)
                similar.emplace_back(distance, other);
    }
    std::stable_sort(similar.begin(), similar.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> closest;
    for (std::size_t i = 0; i < std::min(shown, similar.size()); ++i) closest.push_back(similar[i].second);
    return closest;
}

std::string grouped(std::size_t count) {
    std::string digits = std::to_string(count);
    for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
        digits.insert(static_cast<std::size_t>(at), 1, ',');
    return digits;
}

std::string counted(std::size_t count, const std::string& thing) {
    const bool hisses = thing.ends_with('x') || thing.ends_with('s') || thing.ends_with("ch");
    return grouped(count) + " " + thing + (count == 1 ? "" : hisses ? "es" : "s");
}

}  // namespace aotscope
