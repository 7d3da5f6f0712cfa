#include "partition/order/order_search.h"

#include "partition/order/order_simulator.h"

#include <algorithm>
#include <utility>

namespace aotscope {

namespace {

/// Peaks that are higher by less than one part in so many are as good.
constexpr std::int64_t kFinestPeak = 2000;
/// All orders of so many operations may be tried.
constexpr std::size_t kMostTried = 64;
/// Of more operations, all orders of so many around a peak.
constexpr std::size_t kAround = 40;
constexpr std::int64_t kPeakEffort = 1'000'000;
/// Bounds the memory for the sets that were tried, too.
constexpr std::int64_t kTrialEffort = 4'000'000;

class LowestOrder {
public:
    LowestOrder(const OrderProblem& problem, std::int64_t enough, std::int64_t effort)
        : problem_(problem), simulator_(problem), left_(effort) {
        best_.order = graphOrder(problem);
        best_.peak = simulator_.peakOf(best_.order);
        least_ = enough;
    }

    FoundOrder run() {
        halve(orderWithin);
        if (problem_.operations.size() <= kMostTried) proveLower();
        else lowerAtPeaks();
        return std::move(best_);
    }

private:
    using Search = std::optional<OperationOrder> (*)(const OrderProblem&, std::int64_t, OrderEffort&);

    bool lower(Search search, std::int64_t limit, std::int64_t steps) {
        OrderEffort effort{std::min(steps, left_)};
        left_ -= effort.left;
        const auto order = search(problem_, limit, effort);
        left_ += std::max<std::int64_t>(effort.left, 0);
        if (!order) return false;
        const std::int64_t peak = simulator_.peakOf(*order);
        if (peak < best_.peak) best_ = {*order, peak};
        return true;
    }

    /// Halves the range that the lowest peak can be in, beginning with the least of all.
    void halve(Search search) {
        const std::int64_t share = left_ / 8;
        std::int64_t least = least_, limit = least_;
        while (best_.peak > least + least / kFinestPeak && left_ > 0) {
            if (!lower(search, limit, share)) least = limit + 1;
            limit = (least + best_.peak - 1) / 2;
        }
    }

    /// Until there is no lower peak, or the effort is spent.
    void proveLower() {
        while (best_.peak > least_ && lower(orderWithinByTrial, best_.peak - 1, kTrialEffort)) {}
    }

    /// Tries all orders of the operations around a peak, as long as that lowers one.
    void lowerAtPeaks() {
        OrderEffort effort{left_};
        while (best_.peak > least_ && !effort.isSpent() && lowerAtPeak(effort)) {}
    }
    bool lowerAtPeak(OrderEffort& effort) {
        const std::vector<std::int64_t> curve = simulator_.curveOf(best_.order);
        const auto peak = static_cast<std::size_t>(std::ranges::max_element(curve) - curve.begin());
        const auto equals = std::ranges::count(curve, best_.peak);
        for (const std::size_t before : {kAround / 2, kAround / 4, 3 * kAround / 4}) {
            const std::size_t begin = peak - std::min(peak, before);
            const std::size_t end = std::min(curve.size(), peak + kAround - before);
            OrderEffort share{std::min(effort.left, kPeakEffort)};
            effort.left -= share.left;
            const auto order = reorderedWithin(problem_, best_.order, begin, end, best_.peak - 1, share);
            effort.left += std::max<std::int64_t>(share.left, 0);
            if (!order) continue;
            const std::vector<std::int64_t> changed = simulator_.curveOf(*order);
            const std::int64_t highest = *std::ranges::max_element(changed);
            if (highest > best_.peak || (highest == best_.peak && std::ranges::count(changed, highest) >= equals))
                continue;
            best_ = {*order, highest};
            return true;
        }
        return false;
    }

    const OrderProblem& problem_;
    OrderSimulator simulator_;
    FoundOrder best_;
    std::int64_t least_ = 0, left_;
};

/// Puts moved operations back to where they are in the graph.
class Restorer {
public:
    Restorer(const OrderProblem& problem, OperationOrder order, std::int64_t limit, std::int64_t effort)
        : problem_(problem), simulator_(problem), order_(std::move(order)), limit_(limit), left_(effort) {}

    OperationOrder run() {
        const std::vector<bool> stays = inPlace();
        std::vector<int> moved;
        for (const int operation : order_)
            if (!stays[at(operation)]) moved.push_back(operation);
        restore(moved);
        return std::move(order_);
    }

private:
    static std::size_t at(int i) { return static_cast<std::size_t>(i); }

    /// Whether an operation belongs to a longest part of the order that is as in the graph.
    std::vector<bool> inPlace() const {
        std::vector<int> ends, before(order_.size(), OrderProblem::kNone);
        for (const int operation : order_) {
            const auto end = std::ranges::lower_bound(ends, operation);
            before[at(operation)] = end == ends.begin() ? OrderProblem::kNone : *(end - 1);
            if (end == ends.end()) ends.push_back(operation);
            else *end = operation;
        }
        std::vector<bool> stays(order_.size());
        for (int i = ends.empty() ? OrderProblem::kNone : ends.back(); i != OrderProblem::kNone; i = before[at(i)])
            stays[at(i)] = true;
        return stays;
    }

    /// As many of them as there is room for: all, or those of either half.
    void restore(const std::vector<int>& moved) {
        if (moved.empty() || left_ <= 0) return;
        left_ -= 8 * static_cast<std::int64_t>(order_.size());
        OperationOrder tried = without(moved);
        if (simulator_.peakOf(tried) <= limit_) {
            order_ = std::move(tried);
            return;
        }
        if (moved.size() == 1) return;
        const auto middle = moved.begin() + static_cast<std::ptrdiff_t>(moved.size() / 2);
        restore({moved.begin(), middle});
        restore({middle, moved.end()});
    }

    /// The order with these operations where they are in the graph, as far as dependencies allow.
    OperationOrder without(const std::vector<int>& moved) {
        OperationOrder result;
        std::vector<bool> loose(order_.size()), done(order_.size());
        for (const int operation : moved) loose[at(operation)] = true;
        const auto emit = [&](auto&& self, int operation) -> void {
            if (done[at(operation)]) return;
            done[at(operation)] = true;
            for (const int before : problem_.operations[at(operation)].after) self(self, before);
            result.push_back(operation);
        };
        std::vector<int> sorted = moved;
        std::ranges::sort(sorted);
        auto next = sorted.begin();
        for (const int operation : order_) {
            if (loose[at(operation)]) continue;
            for (; next != sorted.end() && *next < operation; ++next)
                if (std::ranges::all_of(problem_.operations[at(*next)].after, [&](int b) { return done[at(b)]; }))
                    emit(emit, *next);
            emit(emit, operation);
        }
        for (const int operation : sorted) emit(emit, operation);
        return result;
    }

    const OrderProblem& problem_;
    OrderSimulator simulator_;
    OperationOrder order_;
    const std::int64_t limit_;
    std::int64_t left_;
};

}  // namespace

FoundOrder lowestOrder(const OrderProblem& problem, std::int64_t enough, std::int64_t effort) {
    return LowestOrder(problem, enough, effort).run();
}

OperationOrder withFewerMoves(const OrderProblem& problem, const OperationOrder& order, std::int64_t limit,
                              std::int64_t effort) {
    return Restorer(problem, order, limit, effort).run();
}

}  // namespace aotscope
