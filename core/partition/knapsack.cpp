#include "partition/knapsack.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace aotscope {

namespace {

constexpr double kScale = 10000;  ///< weights are rounded to this fraction of the whole

/// To the nearest integer, half to even.
std::size_t rounded(double weight) { return static_cast<std::size_t>(std::nearbyint(weight * kScale)); }

/// Item numbers, highest value per weight first; equal ones keep `order`.
std::vector<std::size_t> byDensity(const std::vector<double>& weights, const std::vector<double>& values,
                                   std::vector<std::size_t> order) {
    const auto density = [&](std::size_t i) {
        return weights[i] > 0 ? values[i] / weights[i] : std::numeric_limits<double>::infinity();
    };
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return density(a) > density(b); });
    return order;
}

std::vector<std::size_t> numbered(std::size_t count) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    return order;
}

std::vector<bool> solveGreedily(const std::vector<double>& weights, const std::vector<double>& values,
                                double capacity) {
    std::vector<bool> taken(weights.size());
    double total = 0;
    for (const std::size_t i : byDensity(weights, values, numbered(weights.size()))) {
        if (total + weights[i] > capacity) continue;
        total += weights[i];
        taken[i] = true;
    }
    return taken;
}

/// Single precision, as in PyTorch's table: beside large values, small ones are lost, and then not worth taking.
using Profile = std::vector<float>;

/// The best total for every capacity with one more item. Calls `improved(capacity)` where the item helps.
template <typename Improved>
void addItem(Profile& best, std::size_t weight, float value, Improved&& improved) {
    for (std::size_t c = best.size(); c-- > weight;) {
        const float with = best[c - weight] + value;
        const bool better = weight == 0 ? with != best[c] : with > best[c];
        if (!better) continue;
        best[c] = with;
        improved(c);
    }
}

std::vector<bool> solveByTable(const std::vector<double>& weights, const std::vector<double>& values, double capacity) {
    const std::size_t columns = rounded(capacity) + 1;
    Profile best(columns);
    std::vector<std::vector<bool>> better(weights.size(), std::vector<bool>(columns));
    for (std::size_t i = 0; i < weights.size(); ++i)
        addItem(best, rounded(weights[i]), static_cast<float>(values[i]), [&](std::size_t c) { better[i][c] = true; });
    std::vector<bool> taken(weights.size());
    std::size_t left = columns - 1;
    for (std::size_t i = weights.size(); i-- > 0;) {
        if (!better[i][left]) continue;
        taken[i] = true;
        left -= rounded(weights[i]);
    }
    return taken;
}

/// The same table with only two rows: halves of the items share the capacity optimally.
class SlidingHirschberg {
public:
    SlidingHirschberg(const std::vector<double>& weights, const std::vector<double>& values)
        : weights_(weights), values_(values), taken_(weights.size()) {}

    std::vector<bool> solve(double capacity) {
        const std::size_t whole = rounded(capacity);
        if (!weights_.empty()) divide(0, weights_.size(), whole, whole);
        return taken_;
    }

private:
    Profile profile(std::size_t begin, std::size_t end, std::size_t capacity) const {
        Profile best(capacity + 1);
        for (std::size_t i = begin; i < end; ++i)
            addItem(best, rounded(weights_[i]), static_cast<float>(values_[i]), [](std::size_t) {});
        return best;
    }

    void divide(std::size_t begin, std::size_t end, std::size_t capacity, std::size_t whole) {
        if (end - begin == 1) {
            taken_[begin] = rounded(weights_[begin]) <= capacity && values_[begin] > 0;
            return;
        }
        const std::size_t middle = begin + (end - begin) / 2;
        const Profile late = profile(middle, end, capacity), early = profile(begin, middle, capacity);
        std::size_t forLate = 0;
        for (std::size_t c = 1; c <= capacity; ++c)
            if (late[c] + early[capacity - c] > late[forLate] + early[capacity - forLate]) forLate = c;
        // PyTorch gives the early half one unit too much.
        divide(middle, end, forLate, whole);
        divide(begin, middle, std::min(capacity + 1 - forLate, whole), whole);
    }

    const std::vector<double>&weights_, &values_;
    std::vector<bool> taken_;
};

/// Exact weights: all undominated choices, by increasing weight. A choice is dropped if even fractions of the best
/// remaining items could not bring it up to a known total.
class Exact {
public:
    Exact(const std::vector<double>& weights, const std::vector<double>& values, double capacity)
        : weights_(weights), values_(values), capacity_(capacity) {
        auto order = numbered(weights.size());
        std::reverse(order.begin(), order.end());  // the last one among equals, like the solver behind PyTorch's "ilp"
        order_ = byDensity(weights, values, std::move(order));
        for (const std::size_t i : order_) {
            weightBefore_.push_back(weightBefore_.back() + weights[i]);
            valueBefore_.push_back(valueBefore_.back() + values[i]);
        }
    }

    std::vector<bool> solve() {
        // Sums in another order differ in their last digits: what fits should fit in any order.
        capacity_ += 1e-12 * std::max(1.0, capacity_);
        double atLeast = 0;
        const auto greedy = solveGreedily(weights_, values_, capacity_);
        for (std::size_t i = 0; i < greedy.size(); ++i) atLeast += greedy[i] ? values_[i] : 0;
        choices_ = {{0, 0, -1, 0}};
        std::vector<int> frontier{0};
        for (std::size_t k = 0; k < order_.size(); ++k) frontier = extended(frontier, k, atLeast);
        std::vector<bool> taken(weights_.size());
        for (int c = frontier.back(); choices_[static_cast<std::size_t>(c)].before >= 0;) {
            const Choice& choice = choices_[static_cast<std::size_t>(c)];
            taken[choice.item] = true;
            c = choice.before;
        }
        return taken;
    }

private:
    struct Choice {
        double weight, value;
        int before;  ///< the choice without `item`; -1: nothing is taken
        std::size_t item;
    };

    /// The most that items from the k-th on can add, fractions allowed.
    double bound(std::size_t k, double left) const {
        const auto first = weightBefore_.begin() + static_cast<std::ptrdiff_t>(k);
        const auto fits = std::upper_bound(first, weightBefore_.end(), *first + left) - 1;
        const auto whole = static_cast<std::size_t>(fits - weightBefore_.begin());
        const double value = valueBefore_[whole] - valueBefore_[k];
        if (whole == order_.size()) return value;
        return value + values_[order_[whole]] * (*first + left - *fits) / weights_[order_[whole]];
    }

    std::vector<int> extended(const std::vector<int>& frontier, std::size_t k, double& atLeast) {
        const std::size_t item = order_[k];
        std::vector<Choice> with;
        for (const int c : frontier) {
            const Choice choice = choices_[static_cast<std::size_t>(c)];
            const double weight = choice.weight + weights_[item];
            if (weight <= capacity_) with.push_back({weight, choice.value + values_[item], c, item});
        }
        std::vector<int> merged;
        double best = -1;
        const auto keep = [&](const Choice& choice, int known) {
            if (choice.value <= best) return;  // a lighter one is as good
            atLeast = std::max(atLeast, choice.value);
            if (choice.value + bound(k + 1, capacity_ - choice.weight) < atLeast * (1 - 1e-12)) return;
            best = choice.value;
            if (known < 0) choices_.push_back(choice);
            merged.push_back(known >= 0 ? known : static_cast<int>(choices_.size()) - 1);
        };
        std::size_t next = 0;
        for (const int c : frontier) {
            while (next < with.size() && with[next].weight < choices_[static_cast<std::size_t>(c)].weight)
                keep(with[next++], -1);
            keep(Choice(choices_[static_cast<std::size_t>(c)]), c);
        }
        while (next < with.size()) keep(with[next++], -1);
        return merged;
    }

    const std::vector<double>&weights_, &values_;
    double capacity_;
    std::vector<std::size_t> order_;
    std::vector<double> weightBefore_{0}, valueBefore_{0};  ///< of the preceding items, by density
    std::vector<Choice> choices_;
};

}  // namespace

std::vector<bool> solveKnapsack(KnapsackSolver solver, const std::vector<double>& weights,
                                const std::vector<double>& values, double capacity) {
    switch (solver) {
        case KnapsackSolver::greedy: return solveGreedily(weights, values, capacity);
        case KnapsackSolver::exact: return Exact(weights, values, capacity).solve();
        case KnapsackSolver::slidingHirschberg: return SlidingHirschberg(weights, values).solve(capacity);
        default: return solveByTable(weights, values, capacity);
    }
}

double knapsackExcess(KnapsackSolver solver, const std::vector<double>& weights, const std::vector<bool>& taken,
                      double capacity) {
    if (solver != KnapsackSolver::slidingHirschberg) return 0;
    std::size_t units = 0;
    double total = 0;
    for (std::size_t i = 0; i < taken.size(); ++i) {
        if (!taken[i]) continue;
        units += rounded(weights[i]);
        total += weights[i];
    }
    return units > rounded(capacity) ? std::max(total - capacity, 0.0) : 0;
}

}  // namespace aotscope
