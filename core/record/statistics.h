#pragma once

#include <vector>

namespace aotscope {

/// How repeated measurements lie: extremes, quartiles, median.
struct Spread {
    double min = 0, lower = 0, median = 0, upper = 0, max = 0;
};
Spread spreadOf(std::vector<double> values);

/// How many times as long one thing takes as another, and between which ratios the true one lies.
struct Ratio {
    double median = 0;  ///< 0: nothing was compared
    double low = 0, high = 0;
    double confidence = 0;  ///< that the interval holds the true median
};

/// Of measurements made in turn: b[i] was taken next to a[i], so that what disturbs the machine for longer than a run
/// disturbs both. The interval is that of the sign test on the paired ratios: from the k-th smallest to the k-th
/// largest one, k as large as 95 % confidence allows. It assumes nothing of how the times are distributed. Fewer than 6
/// pairs cannot reach 95 %: then it is the whole range, and `confidence` says what that is worth.
Ratio pairedRatio(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace aotscope
