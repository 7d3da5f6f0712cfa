#pragma once

#include "aten/convert.h"

namespace aotscope {

/// Whether a last digit is so large that values are judged by their distance from float64.
inline bool isLowPrecision(double epsilon) { return epsilon > 1e-4; }

/// For exact dtypes that of float32, in which results of integers are computed.
inline double epsilonOf(at::ScalarType type) {
    const DType dtype = toDType(type);
    return epsilonOf(takesGradients(dtype) ? dtype : DType::f32);
}
inline bool isLowPrecision(at::ScalarType type) { return isLowPrecision(epsilonOf(type)); }

}  // namespace aotscope
