#include "partition/order/order_state.h"

#include <algorithm>

namespace aotscope {

OrderState::OrderState(const OrderProblem& problem)
    : problem_(problem), place_(problem.operations.size(), kWaits), live_(problem.heldBytes) {
    for (const auto& block : problem.blocks) {
        bytes_.push_back(block.bytes);
        readers_.push_back(static_cast<int>(block.readers.size()) + block.kept);
        if (block.maker == OrderProblem::kNone && readers_.back() > 0) live_ += block.bytes;
    }
    left_ = readers_;
    for (std::size_t i = 0; i < problem.operations.size(); ++i) {
        waits_.push_back(static_cast<int>(problem.operations[i].after.size()));
        if (waits_.back() == 0) setReady(static_cast<int>(i));
    }
}

OrderState::Effect OrderState::effectOf(int operation) const {
    const auto& step = problem_.operations[at(operation)];
    const bool taken = takes(operation);
    std::int64_t made = 0, freed = 0;
    for (const int block : step.makes) {
        if (!taken) made += bytes_[at(block)];
        if (left_[at(block)] == 0) freed += taken ? bytes_[at(step.overwrites)] : bytes_[at(block)];
    }
    for (const int block : step.reads)
        if (left_[at(block)] == 1 && !(taken && block == step.overwrites)) freed += bytes_[at(block)];
    return {live_ + made + step.inner, made - freed};
}

void OrderState::run(int operation) {
    const auto& step = problem_.operations[at(operation)];
    live_ += effectOf(operation).added;
    if (takes(operation)) bytes_[at(step.makes.front())] = bytes_[at(step.overwrites)];
    for (const int block : step.reads) --left_[at(block)];
    unsetReady(operation);
    place_[at(operation)] = kRan;
    order_.push_back(operation);
    for (const int follower : step.followers)
        if (--waits_[at(follower)] == 0) setReady(follower);
}

void OrderState::undo() {
    const int operation = order_.back();
    const auto& step = problem_.operations[at(operation)];
    order_.pop_back();
    for (const int follower : step.followers)
        if (waits_[at(follower)]++ == 0) unsetReady(follower);
    for (const int block : step.reads) ++left_[at(block)];
    setReady(operation);
    live_ -= effectOf(operation).added;
    for (const int block : step.makes) bytes_[at(block)] = problem_.blocks[at(block)].bytes;
}

void OrderState::setReady(int operation) {
    place_[at(operation)] = static_cast<int>(ready_.size());
    ready_.push_back(operation);
}

void OrderState::unsetReady(int operation) {
    const int place = place_[at(operation)];
    place_[at(operation)] = kWaits;
    ready_[at(place)] = ready_.back();
    if (ready_.back() != operation) place_[at(ready_.back())] = place;
    ready_.pop_back();
}

}  // namespace aotscope
