#pragma once

#include <c10/core/ScalarType.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Float8_e4m3fn.h>
#include <c10/util/Float8_e4m3fnuz.h>
#include <c10/util/Float8_e5m2.h>
#include <c10/util/Float8_e5m2fnuz.h>
#include <c10/util/Half.h>

#include <limits>

namespace aotscope {

/// The distance of 1 from the next number; of complex numbers, that of their parts.
inline double epsilonOf(at::ScalarType type) {
    switch (c10::toRealValueType(type)) {
        case at::kDouble: return std::numeric_limits<double>::epsilon();
        case at::kHalf: return std::numeric_limits<at::Half>::epsilon();
        case at::kBFloat16: return std::numeric_limits<at::BFloat16>::epsilon();
        case at::kFloat8_e4m3fn: return std::numeric_limits<c10::Float8_e4m3fn>::epsilon();
        case at::kFloat8_e4m3fnuz: return std::numeric_limits<c10::Float8_e4m3fnuz>::epsilon();
        case at::kFloat8_e5m2: return std::numeric_limits<c10::Float8_e5m2>::epsilon();
        case at::kFloat8_e5m2fnuz: return std::numeric_limits<c10::Float8_e5m2fnuz>::epsilon();
        default: return std::numeric_limits<float>::epsilon();
    }
}

/// Whether a last digit is so much that values are judged by their distance from float64.
inline bool isLowPrecision(double epsilon) { return epsilon > 1e-4; }
inline bool isLowPrecision(at::ScalarType type) { return isLowPrecision(epsilonOf(type)); }

}  // namespace aotscope
