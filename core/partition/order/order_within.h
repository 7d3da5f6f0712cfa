#pragma once

#include "partition/order/order_problem.h"

#include <cstdint>
#include <optional>

namespace aotscope {

/// The steps that are left to searches: each looks at one operation.
struct OrderEffort {
    std::int64_t left = 0;
    void take(std::int64_t steps) { left -= steps; }
    bool isSpent() const { return left <= 0; }
};

/// An order whose peak is at most `limit`; nothing if none was found. Follows the order of the graph as far as there is
/// room. Where nothing fits any more, a block is chosen that need not be alive there, its maker has to wait, or its
/// readers to come before, and the run begins again.
std::optional<OperationOrder> orderWithin(const OrderProblem& problem, std::int64_t limit, OrderEffort& effort);

/// The same for few operations, for which all orders are looked at, if there is effort enough: nothing then means that
/// there is none. What frees no less than it needs is run at once; sets of operations that have led nowhere are not
/// tried again.
std::optional<OperationOrder> orderWithinByTrial(const OrderProblem& problem, std::int64_t limit, OrderEffort& effort);

/// The same for a part of an order: the operations from `begin` to `end` in another order, in which none has a higher
/// peak than `limit`. What comes before and behind stays.
std::optional<OperationOrder> reorderedWithin(const OrderProblem& problem, const OperationOrder& order,
                                              std::size_t begin, std::size_t end, std::int64_t limit,
                                              OrderEffort& effort);

}  // namespace aotscope
