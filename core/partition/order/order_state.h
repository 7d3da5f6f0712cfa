#pragma once

#include "partition/order/order_problem.h"

#include <cstdint>
#include <vector>

namespace aotscope {

/// The memory of a run whose operations are chosen one by one, and can be taken back.
class OrderState {
public:
    explicit OrderState(const OrderProblem& problem);

    const OrderProblem& problem() const { return problem_; }
    std::int64_t live() const { return live_; }
    /// Operations that have run, in order.
    const OperationOrder& order() const { return order_; }
    bool isDone() const { return order_.size() == problem_.operations.size(); }
    /// Operations that may run now, in no particular order.
    const std::vector<int>& ready() const { return ready_; }
    bool hasRun(int operation) const { return place_[at(operation)] == kRan; }
    bool isAlive(int block) const { return left_[at(block)] > 0 && isMade(block); }
    bool isRead(int block) const { return left_[at(block)] < readers_[at(block)]; }

    /// Live bytes while a ready operation runs, and how many more are live after it.
    struct Effect {
        std::int64_t during = 0, added = 0;
    };
    Effect effectOf(int operation) const;

    void run(int operation);
    /// Takes back the last one.
    void undo();

private:
    static constexpr int kWaits = -1, kRan = -2;
    static std::size_t at(int i) { return static_cast<std::size_t>(i); }

    bool isMade(int block) const {
        const int maker = problem_.blocks[at(block)].maker;
        return maker == OrderProblem::kNone || hasRun(maker);
    }
    bool takes(int operation) const {
        const int overwritten = problem_.operations[at(operation)].overwrites;
        return overwritten != OrderProblem::kNone && left_[at(overwritten)] == 1;
    }
    void setReady(int operation);
    void unsetReady(int operation);

    const OrderProblem& problem_;
    std::vector<int> readers_, left_;  ///< by block: all, and those to come; kept blocks have one more
    std::vector<std::int64_t> bytes_;  ///< by block
    std::vector<int> waits_;           ///< by operation: those before it that have not run
    std::vector<int> place_;           ///< by operation: its place in `ready_`, kWaits or kRan
    std::vector<int> ready_;
    OperationOrder order_;
    std::int64_t live_ = 0;
};

}  // namespace aotscope
