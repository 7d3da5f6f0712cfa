// Dtypes that pack several numbers into a byte, or hold bits without a meaning: no kernel converts from or to them.
#pragma once

#include <ATen/core/Tensor.h>

namespace aotscope {

inline bool isPacked(at::ScalarType type) {
    const bool parts = type >= at::ScalarType::UInt1 && type <= at::ScalarType::Int7;
    return parts || at::isBitsType(type) || type == at::ScalarType::Float4_e2m1fn_x2;
}

/// The integer dtype with the element size of a packed dtype.
inline at::ScalarType integersOf(at::ScalarType packed) {
    return c10::elementSize(packed) == 1 ? at::kByte : at::kShort;
}

}  // namespace aotscope
