#include "cost/placement/first_fit.h"

#include <algorithm>
#include <numeric>

namespace aotscope {

namespace {

using Order = std::vector<std::size_t>;

/// What sticks out is put earlier this often without a smaller arena.
constexpr int kMostFailures = 12;

/// Each block into the lowest gap between those before it in the order.
class FirstFit {
public:
    explicit FirstFit(std::span<const ArenaBlock> blocks) : blocks_(blocks) {}

    Placed run(const Order& order) {
        placed_.assign(blocks_.size(), 0);
        byOffset_.clear();
        Placed result;
        for (const std::size_t block : order) {
            const std::int64_t offset = place(block);
            result.bytes = std::max(result.bytes, offset + blocks_[block].bytes);
        }
        result.offsets = placed_;
        return result;
    }

private:
    std::int64_t place(std::size_t block) {
        std::int64_t offset = 0;
        for (const std::size_t other : byOffset_) {
            if (placed_[other] >= offset + blocks_[block].bytes) break;
            if (blocks_[block].meets(blocks_[other])) offset = std::max(offset, placed_[other] + blocks_[other].bytes);
        }
        placed_[block] = offset;
        const auto at = std::ranges::upper_bound(byOffset_, offset, {}, [this](std::size_t i) { return placed_[i]; });
        byOffset_.insert(at, block);
        return offset;
    }

    std::span<const ArenaBlock> blocks_;
    std::vector<std::int64_t> placed_;
    Order byOffset_;  ///< of the placed ones
};

/// By what is to be placed first; equal ones by begin, and then as given.
template <typename Key>
Order sortedBy(std::span<const ArenaBlock> blocks, Key&& key) {
    Order order(blocks.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        const auto x = key(blocks[a]), y = key(blocks[b]);
        return x != y ? x > y : blocks[a].first < blocks[b].first;
    });
    return order;
}

std::vector<Order> startingOrders(std::span<const ArenaBlock> blocks) {
    return {sortedBy(blocks, [](const ArenaBlock& b) { return b.bytes; }),
            sortedBy(blocks, [](const ArenaBlock& b) { return b.lifetime(); }),
            sortedBy(blocks, [](const ArenaBlock& b) { return b.bytes * b.lifetime(); }),
            sortedBy(blocks, [](const ArenaBlock& b) { return -static_cast<std::int64_t>(b.first); })};
}

/// The order with those blocks first that reach beyond `limit`.
Order promoted(const Order& order, std::span<const ArenaBlock> blocks, const Placed& placed, std::int64_t limit) {
    Order front, rest;
    for (const std::size_t block : order)
        (placed.offsets[block] + blocks[block].bytes > limit ? front : rest).push_back(block);
    front.insert(front.end(), rest.begin(), rest.end());
    return front;
}

}  // namespace

Placed placeByFirstFit(std::span<const ArenaBlock> blocks, std::int64_t bound, PlacementEffort& effort) {
    FirstFit fit(blocks);
    Placed best;
    const auto n = static_cast<std::int64_t>(blocks.size());
    const auto tryOrder = [&](const Order& order) {
        Placed placed = fit.run(order);
        effort.take(n * n / 16);
        const bool better = best.offsets.empty() || placed.bytes < best.bytes;
        if (better) best = placed;
        return std::pair{better, std::move(placed)};
    };
    std::vector<std::pair<std::int64_t, Order>> tried;
    for (const Order& order : startingOrders(blocks))
        if (tried.empty() || effort.left > 0) tried.emplace_back(tryOrder(order).second.bytes, order);
    std::ranges::stable_sort(tried, {}, &std::pair<std::int64_t, Order>::first);
    for (auto& [bytes, order] : tried) {
        if (best.bytes <= bound || effort.left <= 0) break;
        Placed placed = fit.run(order);
        for (int failures = 0; failures < kMostFailures && best.bytes > bound && effort.left > 0; ++failures) {
            order = promoted(order, blocks, placed, std::max(bound, std::min(best.bytes, placed.bytes) - 1));
            auto [better, next] = tryOrder(order);
            if (better) failures = 0;
            placed = std::move(next);
        }
    }
    return best;
}

}  // namespace aotscope
