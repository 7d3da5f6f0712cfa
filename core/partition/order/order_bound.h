#pragma once

#include "partition/order/order_problem.h"

#include <cstdint>

namespace aotscope {

/// No order has a lower peak: what is alive while an operation runs whatever the order, since its maker comes before
/// and a reader after; or what is alive at the end. 0 for graphs of more than kMostBounded operations, for which it is
/// not computed.
std::int64_t lowestPossiblePeak(const OrderProblem& problem);
inline constexpr std::size_t kMostBounded = 12'000;

}  // namespace aotscope
