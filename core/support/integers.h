#pragma once

#include <cstdint>

namespace aotscope {

/// a / b rounded towards minus infinity, as in Python. `b` must not be 0, and the quotient must fit in 64 bits.
constexpr std::int64_t floorQuotient(std::int64_t a, std::int64_t b) {
    return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

}  // namespace aotscope
