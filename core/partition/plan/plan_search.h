#pragma once

#include "partition/plan/priced_cut.h"
#include "support/progress.h"

#include <functional>
#include <optional>
#include <random>

namespace aotscope {

/// A choice with its costs.
struct StepPlan {
    StepChoice choice;
    StepOutcome outcome;
};

/// Looks for the choice that recomputes least under a limit of memory, better the longer it works: minimum cuts at many
/// prices of memory, each improved one decision at a time. The same step, limit and seed give the same plans. Not
/// thread-safe.
class PlanSearch {
public:
    /// `limit`: bytes of the peak, without parameters, inputs and tangents.
    PlanSearch(const StepProblem& model, std::int64_t limit, std::uint64_t seed = 1);

    /// Quick: prices of the border, with different leanings to early or late layers.
    void first(const Progress& progress);
    /// One more try, at random prices. Returns whether it found a better plan.
    bool again(const Progress& progress);
    /// Cuts at prices by moment, as a relaxation has them, also with times that differ a little.
    void along(const MemoryPrices& prices, const Progress& progress);
    /// A plan from elsewhere.
    void consider(const StepChoice& choice) { judge(choice); }
    /// Moves on from the plan with the lowest peak until one fits, or `rounds` have passed.
    void lower(int rounds, const Progress& progress);

    /// Nothing: no plan found so far fits.
    const std::optional<StepPlan>& best() const { return best_; }
    /// The one with the lowest peak seen, whether it fits or not.
    const StepPlan& lowest() const { return lowest_; }
    StepSimulator& simulator() { return simulator_; }

private:
    StepOutcome judge(const StepChoice& choice);
    bool fits(const StepOutcome& outcome) const { return outcome.peak <= limit_; }
    int shareOfWork(int most) const;
    bool canChange(std::size_t decision) const;
    MemoryPrices atBorder(double price) const;
    StepChoice cut(const MemoryPrices& prices, const StepChoice& from, const std::vector<double>& factors);
    /// The highest plan that fits among cuts at prices of the shape of `shape`.
    std::optional<StepPlan> bisect(const MemoryPrices& shape, const std::vector<double>& factors, double low,
                                   double high, int steps);
    std::optional<StepPlan> between(const MemoryPrices& shape, const std::vector<double>& factors, double low,
                                    double high, int steps);
    MemoryPrices pricesByMoment(int iterations, const Progress& progress);
    void keepWhatFits(StepPlan plan, const Progress& progress);
    void fill(StepPlan plan, const Progress& progress);
    void exchange(StepPlan plan, const Progress& progress);
    void noteTightSlot();
    double uniform() { return std::uniform_real_distribution<double>(0, 1)(random_); }
    double normal() { return std::normal_distribution<double>(0, 1)(random_); }
    std::vector<double> leaning(double slope) const;
    std::vector<double> randomFactors();
    MemoryPrices randomPrices();

    const StepProblem& model_;
    std::int64_t limit_;
    StepSimulator simulator_;
    PricedCut cuts_;
    std::mt19937_64 random_;
    std::vector<std::vector<std::size_t>> families_;  ///< see StepDecision
    double unit_ = 1;  ///< milliseconds per byte at which everything costs as much kept as computed again
    std::optional<StepPlan> best_;
    StepPlan lowest_;
    std::optional<MemoryPrices> byMoment_;  ///< prices that have led to the limit
    std::optional<double> justEnough_;      ///< the logarithm of the price at which plans have fitted lately
    double enough_ = 0;                     ///< the same of the last prices
    std::vector<int> tightSlots_;           ///< where plans have just failed to fit
};

}  // namespace aotscope
