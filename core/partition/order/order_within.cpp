#include "partition/order/order_within.h"

#include "partition/order/order_state.h"

#include <algorithm>
#include <limits>
#include <random>
#include <unordered_set>

namespace aotscope {

namespace {

/// Runs that begin again because nothing fits.
constexpr int kMostRuns = 200;
constexpr unsigned kVariations = 16;
/// What it takes to look up a set of operations.
constexpr std::int64_t kStepsOfSet = 16;

/// What is run next while all fits: the order of the graph, or first what frees no less than it needs.
enum class Preference : std::uint8_t { graph, freeing };

class BoundedRun {
public:
    /// `variation`: 0 for the changes with the most gain, others for changes that are as good with other luck.
    BoundedRun(const OrderProblem& problem, std::int64_t limit, Preference preference, unsigned variation,
               OrderEffort& effort)
        : problem_(problem),
          limit_(limit),
          preference_(preference),
          effort_(effort),
          luck_(variation),
          varies_(variation > 0),
          added_(problem.operations.size()),
          addedFollowers_(problem.operations.size()) {}

    std::optional<OperationOrder> run() {
        for (int i = 0; i < kMostRuns && !effort_.isSpent(); ++i) {
            OrderState state(problem_);
            effort_.take(static_cast<std::int64_t>(problem_.operations.size()));
            while (!state.isDone()) {
                const int next = choose(state);
                if (next == OrderProblem::kNone) break;
                state.run(next);
            }
            if (state.isDone()) return state.order();
            if (!learn(state)) break;
        }
        return std::nullopt;
    }

private:
    static std::size_t at(int i) { return static_cast<std::size_t>(i); }

    bool mayRun(const OrderState& state, int operation) const {
        return std::ranges::all_of(added_[at(operation)], [&](int other) { return state.hasRun(other); });
    }

    /// OrderProblem::kNone if nothing fits.
    int choose(const OrderState& state) {
        int first = OrderProblem::kNone, freeing = OrderProblem::kNone, least = OrderProblem::kNone;
        for (const int operation : state.ready()) {
            effort_.take(1 + static_cast<std::int64_t>(added_[at(operation)].size()));
            if (!mayRun(state, operation)) continue;
            if (least == OrderProblem::kNone || operation < least) least = operation;
            const auto [during, added] = state.effectOf(operation);
            if (during > limit_) continue;
            if (first == OrderProblem::kNone || operation < first) first = operation;
            if (added <= 0 && (freeing == OrderProblem::kNone || operation < freeing)) freeing = operation;
        }
        const bool asInGraph = preference_ == Preference::graph && first == least;
        return asInGraph || freeing == OrderProblem::kNone ? first : freeing;
    }

    struct Change {
        std::int64_t gain = 0;
        std::vector<int> first;   ///< operations that have to come before
        std::vector<int> second;  ///< these
    };

    /// Adds a dependency without which there is no room for what comes next. False if there is none.
    bool learn(const OrderState& state) {
        const int stuck = stuckOperation(state);
        if (stuck == OrderProblem::kNone) return false;
        comeBefore_ = reached(stuck, &OrderProblem::Operation::after, added_);
        comeAfter_ = reached(stuck, &OrderProblem::Operation::followers, addedFollowers_);
        Change best;
        effort_.take(4 * static_cast<std::int64_t>(problem_.blocks.size()));
        for (int block = 0; block < static_cast<int>(problem_.blocks.size()); ++block) {
            if (!state.isAlive(block) || problem_.blocks[at(block)].bytes == 0) continue;
            for (Change change : {delayed(state, block, stuck), advanced(state, block, stuck)}) {
                if (varies_ && change.gain > 0) change.gain = varied(change.gain);
                if (change.gain > best.gain) best = std::move(change);
            }
        }
        if (best.gain <= 0) return false;
        for (const int second : best.second)
            for (const int first : best.first) {
                added_[at(second)].push_back(first);
                addedFollowers_[at(first)].push_back(second);
            }
        return true;
    }

    /// From a half to one and a half.
    std::int64_t varied(std::int64_t gain) {
        constexpr std::int64_t kParts = 256;
        return gain / 2 + gain * static_cast<std::int64_t>(luck_() % kParts) / kParts + 1;
    }

    /// What would need the least memory; of equals, the first in the graph.
    int stuckOperation(const OrderState& state) const {
        int stuck = OrderProblem::kNone;
        std::int64_t least = std::numeric_limits<std::int64_t>::max();
        for (const int operation : state.ready()) {
            if (!mayRun(state, operation)) continue;
            const std::int64_t during = state.effectOf(operation).during;
            if (during > least || (during == least && operation > stuck)) continue;
            stuck = operation;
            least = during;
        }
        return stuck;
    }

    /// Makes the block after `stuck`.
    Change delayed(const OrderState& state, int block, int stuck) const {
        const int maker = problem_.blocks[at(block)].maker;
        if (maker == OrderProblem::kNone || state.isRead(block) || comeBefore_[at(maker)]) return {};
        Change change{0, {stuck}, {maker}};
        for (const int made : problem_.operations[at(maker)].makes) change.gain += problem_.blocks[at(made)].bytes;
        for (const int read : problem_.operations[at(maker)].reads)
            if (!state.isAlive(read)) change.gain -= problem_.blocks[at(read)].bytes;
        return change;
    }

    /// Reads the block for the last time before `stuck`.
    Change advanced(const OrderState& state, int block, int stuck) const {
        const auto& known = problem_.blocks[at(block)];
        if (known.kept) return {};
        Change change{known.bytes, {}, {stuck}};
        for (const int reader : known.readers) {
            if (state.hasRun(reader)) continue;
            if (comeAfter_[at(reader)]) return {};
            change.first.push_back(reader);
            for (const int made : problem_.operations[at(reader)].makes)
                if (!problem_.blocks[at(made)].readers.empty() || problem_.blocks[at(made)].kept)
                    change.gain -= problem_.blocks[at(made)].bytes;
        }
        return change;
    }

    /// What is reached from an operation, with itself. `direct`, `added`: by operation, where edges lead.
    std::vector<bool> reached(int from, std::vector<int> OrderProblem::Operation::*direct,
                              const std::vector<std::vector<int>>& added) {
        std::vector<bool> found(problem_.operations.size());
        std::vector<int> pending{from};
        found[at(from)] = true;
        const auto add = [&](int i) {
            if (!found[at(i)]) pending.push_back(i);
            found[at(i)] = true;
        };
        while (!pending.empty()) {
            const auto i = at(pending.back());
            pending.pop_back();
            std::ranges::for_each(problem_.operations[i].*direct, add);
            std::ranges::for_each(added[i], add);
        }
        effort_.take(static_cast<std::int64_t>(problem_.operations.size()));
        return found;
    }

    const OrderProblem& problem_;
    const std::int64_t limit_;
    const Preference preference_;
    OrderEffort& effort_;
    std::mt19937 luck_;  ///< the same each time
    const bool varies_;
    std::vector<std::vector<int>> added_;  ///< by operation: what it has to wait for, too
    std::vector<std::vector<int>> addedFollowers_;
    std::vector<bool> comeBefore_, comeAfter_;  ///< what is stuck, with itself
};

/// All orders, depth first.
class Trial {
public:
    /// Of the operations in `order` from `begin` to `end`, those before it run first.
    Trial(const OrderProblem& problem, const OperationOrder& order, std::size_t begin, std::size_t end,
          std::int64_t limit, OrderEffort& effort)
        : limit_(limit), effort_(effort), state_(problem), end_(end), isTried_(problem.operations.size()) {
        for (std::size_t i = 0; i < begin; ++i) state_.run(order[i]);
        for (std::size_t i = begin; i < end; ++i) isTried_[static_cast<std::size_t>(order[i])] = true;
        effort.take(static_cast<std::int64_t>(problem.operations.size()));
        std::mt19937_64 random;  // NOLINT(cert-msc51-cpp): the same numbers each time
        for (std::size_t i = 0; i < problem.operations.size(); ++i) keys_.push_back(random());
    }

    std::optional<OperationOrder> run() {
        if (extend()) return state_.order();
        return std::nullopt;
    }

private:
    bool extend() {
        if (state_.order().size() == end_) return true;
        if (effort_.isSpent() || failed_.contains(set_)) return false;
        for (const int operation : candidates()) {
            run(operation);
            if (extend()) return true;
            takeBack();
        }
        failed_.insert(set_);
        return false;
    }

    std::vector<int> candidates() {
        std::vector<int> fitting;
        effort_.take(static_cast<std::int64_t>(state_.ready().size()) + kStepsOfSet);
        for (const int operation : state_.ready()) {
            if (!isTried_[static_cast<std::size_t>(operation)]) continue;
            const auto [during, added] = state_.effectOf(operation);
            if (during > limit_) continue;
            if (added <= 0) return {operation};
            fitting.push_back(operation);
        }
        std::ranges::sort(fitting);
        return fitting;
    }
    void run(int operation) {
        state_.run(operation);
        set_ ^= keys_[static_cast<std::size_t>(operation)];
    }
    void takeBack() {
        set_ ^= keys_[static_cast<std::size_t>(state_.order().back())];
        state_.undo();
    }

    const std::int64_t limit_;
    OrderEffort& effort_;
    OrderState state_;
    std::size_t end_;
    std::vector<bool> isTried_;
    std::vector<std::uint64_t> keys_;  ///< of operations; a set's is the exclusive or
    std::uint64_t set_ = 0;            ///< of what has run
    std::unordered_set<std::uint64_t> failed_;
};

}  // namespace

std::optional<OperationOrder> orderWithin(const OrderProblem& problem, std::int64_t limit, OrderEffort& effort) {
    for (unsigned variation = 0; variation < kVariations && !effort.isSpent(); ++variation)
        for (const Preference preference : {Preference::graph, Preference::freeing})
            if (auto order = BoundedRun(problem, limit, preference, variation, effort).run()) return order;
    return std::nullopt;
}

std::optional<OperationOrder> orderWithinByTrial(const OrderProblem& problem, std::int64_t limit, OrderEffort& effort) {
    const OperationOrder order = graphOrder(problem);
    return Trial(problem, order, 0, order.size(), limit, effort).run();
}

std::optional<OperationOrder> reorderedWithin(const OrderProblem& problem, const OperationOrder& order,
                                              std::size_t begin, std::size_t end, std::int64_t limit,
                                              OrderEffort& effort) {
    auto found = Trial(problem, order, begin, end, limit, effort).run();
    if (found) found->insert(found->end(), order.begin() + static_cast<std::ptrdiff_t>(end), order.end());
    return found;
}

}  // namespace aotscope
