#include "partition/order/order_simulator.h"

#include <algorithm>

namespace aotscope {

OrderSimulator::OrderSimulator(const OrderProblem& problem) : start_(problem.heldBytes) {
    for (const auto& operation : problem.operations) {
        Step step{reads_.size(), 0, makes_.size(), 0, operation.inner, operation.overwrites};
        reads_.insert(reads_.end(), operation.reads.begin(), operation.reads.end());
        makes_.insert(makes_.end(), operation.makes.begin(), operation.makes.end());
        step.readsEnd = reads_.size(), step.makesEnd = makes_.size();
        steps_.push_back(step);
    }
    for (const auto& block : problem.blocks) {
        ownBytes_.push_back(block.bytes);
        readers_.push_back(static_cast<int>(block.readers.size()) + block.kept);
        if (block.maker == OrderProblem::kNone && readers_.back() > 0) start_ += block.bytes;
    }
}

std::vector<std::int64_t> OrderSimulator::curveOf(std::span<const int> order) {
    std::vector<std::int64_t> curve;
    run(order, &curve);
    return curve;
}

std::int64_t OrderSimulator::run(std::span<const int> order, std::vector<std::int64_t>* curve) {
    bytes_ = ownBytes_;
    left_ = readers_;
    std::int64_t live = start_, peak = start_;
    for (const int i : order) {
        const Step& step = steps_[static_cast<std::size_t>(i)];
        const auto overwritten = static_cast<std::size_t>(step.overwrites);
        const bool takes = step.overwrites != OrderProblem::kNone && left_[overwritten] == 1;
        for (std::size_t m = step.makesBegin; m < step.makesEnd; ++m) {
            const auto block = static_cast<std::size_t>(makes_[m]);
            if (takes) bytes_[block] = bytes_[overwritten];
            else live += bytes_[block];
        }
        peak = std::max(peak, live + step.inner);
        if (curve) curve->push_back(live + step.inner);
        for (std::size_t r = step.readsBegin; r < step.readsEnd; ++r) {
            const auto block = static_cast<std::size_t>(reads_[r]);
            if (--left_[block] == 0 && !(takes && block == overwritten)) live -= bytes_[block];
        }
        for (std::size_t m = step.makesBegin; m < step.makesEnd; ++m)
            if (const auto block = static_cast<std::size_t>(makes_[m]); left_[block] == 0) live -= bytes_[block];
    }
    return peak;
}

}  // namespace aotscope
