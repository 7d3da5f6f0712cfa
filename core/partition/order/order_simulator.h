#pragma once

#include "partition/order/order_problem.h"

#include <cstdint>
#include <span>
#include <vector>

namespace aotscope {

/// Memory along an order of a problem's operations, in microseconds for thousands of them. Agrees with liveMemory.
class OrderSimulator {
public:
    explicit OrderSimulator(const OrderProblem& problem);

    /// The highest live bytes while an operation runs; those that are held if there is none.
    std::int64_t peakOf(std::span<const int> order) { return run(order, nullptr); }
    /// Live bytes while each of the operations runs.
    std::vector<std::int64_t> curveOf(std::span<const int> order);
    /// The sizes of the blocks after the last order: a result that took an operand's memory has that of the operand.
    const std::vector<std::int64_t>& blockBytes() const { return bytes_; }

private:
    struct Step {
        std::size_t readsBegin, readsEnd, makesBegin, makesEnd;
        std::int64_t inner;
        int overwrites;
    };

    std::int64_t run(std::span<const int> order, std::vector<std::int64_t>* curve);

    std::vector<Step> steps_;
    std::vector<int> reads_, makes_;
    std::vector<std::int64_t> ownBytes_, bytes_;  ///< by block
    std::vector<int> readers_, left_;             ///< by block: all, and those to come; kept blocks have one more
    std::int64_t start_ = 0;
};

}  // namespace aotscope
