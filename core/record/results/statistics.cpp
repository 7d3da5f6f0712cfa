#include "record/results/statistics.h"

#include <algorithm>
#include <cmath>

namespace aotscope {

namespace {

/// Interpolates between neighbours at a fractional position. `sorted` must not be empty.
double quantile(const std::vector<double>& sorted, double share) {
    const double position = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (sorted[above] - sorted[below]) * (position - static_cast<double>(below));
}

/// The probability of at most `most` heads in `n` tosses of a coin.
double binomialTail(std::size_t n, std::size_t most) {
    double sum = 0;
    for (std::size_t k = 0; k <= most; ++k) {
        const auto count = static_cast<double>(n), heads = static_cast<double>(k);
        sum += std::exp(std::lgamma(count + 1) - std::lgamma(heads + 1) - std::lgamma(count - heads + 1) -
                        count * std::log(2.0));
    }
    return sum;
}

}  // namespace

Spread spreadOf(std::vector<double> values) {
    if (values.empty()) return {};
    std::sort(values.begin(), values.end());
    return {values.front(), quantile(values, 0.25), quantile(values, 0.5), quantile(values, 0.75), values.back()};
}

Ratio pairedRatio(const std::vector<double>& a, const std::vector<double>& b) {
    constexpr double wanted = 0.95;
    std::vector<double> ratios;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        if (a[i] > 0 && b[i] > 0) ratios.push_back(b[i] / a[i]);
    if (ratios.empty()) return {};
    std::sort(ratios.begin(), ratios.end());
    const auto confidence = [&](std::size_t cut) { return 1 - 2 * binomialTail(ratios.size(), cut); };
    std::size_t cut = 0;  // excluded at each end
    while (2 * (cut + 2) <= ratios.size() && confidence(cut + 1) >= wanted) ++cut;
    return {quantile(ratios, 0.5), ratios[cut], ratios[ratios.size() - 1 - cut], confidence(cut)};
}

}  // namespace aotscope
