#pragma once

#include "cost/runtime_model.h"
#include "partition/min_cut.h"

#include <optional>

namespace aotscope {

/// The values to save under a memory budget, and its result.
struct BudgetedCut {
    Cut cut;
    BudgetOutcome outcome;
};

/// Chooses the values to save under any memory budget, for one set of rules. Computes what budgets share only once.
/// Source: choose_saved_values_set in torch/_functorch/partitioners.py (PyTorch 2.13).
class BudgetChooser {
public:
    BudgetChooser(const JointFacts& facts, const PartitionOptions& options, const RuntimeModel& model)
        : facts_(facts), options_(options), tags_(facts, options), model_(model) {}

    BudgetedCut at(double budget);
    /// The cost of recomputing an operation, in units of the estimator.
    double runtimeOf(int i) const;

private:
    const Cut& fastest();
    const Cut& wider();
    const Cut& widest();
    CutRules rules() const { return {options_.cut, tags_}; }
    CutRules widerRules() const;
    CutRules widestRules() const;
    void chooseItems();
    std::int64_t bytesOf(const std::vector<int>& values) const;
    std::int64_t inputBytes() const;
    double range();
    double ratio(const Cut& cut);

    const JointFacts& facts_;
    const PartitionOptions& options_;
    const RecomputeTags tags_;
    const RuntimeModel& model_;
    std::optional<Cut> fastest_, wider_, widest_;
    std::optional<std::vector<int>> items_;
    std::vector<double> weights_, runtimes_;
    int cuts_ = 0;
};

}  // namespace aotscope
