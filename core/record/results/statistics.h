#pragma once

#include <vector>

namespace aotscope {

/// Distribution of repeated measurements: extremes, quartiles, median.
struct Spread {
    double min = 0, lower = 0, median = 0, upper = 0, max = 0;
};
Spread spreadOf(std::vector<double> values);

/// The ratio of two times with a confidence interval.
struct Ratio {
    double median = 0;  ///< 0: nothing was compared
    double low = 0, high = 0;
    double confidence = 0;  ///< that the interval contains the true median
};

/// For interleaved measurements: b[i] must be taken next to a[i], so that a disturbance longer than a run affects both.
/// The interval is that of the sign test on the paired ratios: from the k-th smallest to the k-th largest one, with k
/// as large as 95 % confidence allows. It assumes no distribution of the times. Fewer than 6 pairs cannot reach 95 %:
/// the interval is then the whole range, and `confidence` is its actual confidence.
Ratio pairedRatio(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace aotscope
