#pragma once

#include "partition/order/order_within.h"

#include <cstdint>

namespace aotscope {

struct FoundOrder {
    OperationOrder order;
    std::int64_t peak = 0;
};

/// How long to look for a lower peak in one graph, in steps of which a second has a hundred million or more.
inline constexpr std::int64_t kOrderEffort = 100'000'000;

/// An order with the lowest peak that is found, which is at most that of the graph's order; of graphs of a few dozen
/// operations it is nearly always the lowest that there is. Peaks below `enough` are not looked for: see
/// lowestPossiblePeak.
FoundOrder lowestOrder(const OrderProblem& problem, std::int64_t enough, std::int64_t effort = kOrderEffort);

/// An order with a peak of at most `limit`, as `order` has it, in which fewer operations are moved if possible.
OperationOrder withFewerMoves(const OrderProblem& problem, const OperationOrder& order, std::int64_t limit,
                              std::int64_t effort = kOrderEffort);

}  // namespace aotscope
