#pragma once

namespace aotscope {

/// Differences of results up to this share of their tensor's largest element are rounding.
struct RoundingShares {
    double float64 = 1e-9, float32 = 4e-6, float16 = 1e-2, bfloat16 = 5e-2;
};
inline constexpr RoundingShares kRounding;

}  // namespace aotscope
