#pragma once

namespace aotscope {

/// Differences up to this share of their tensor's largest element always count as rounding. In low precision it is one
/// unit in the last place of that element.
struct RoundingShares {
    double float64 = 1e-9, float32 = 4e-6, float16 = 1e-3, bfloat16 = 8e-3;
};
inline constexpr RoundingShares kRounding;

}  // namespace aotscope
