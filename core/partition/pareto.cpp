#include "partition/pareto.h"

#include <algorithm>

namespace aotscope {

std::vector<double> evenBudgets(int points) {
    std::vector<double> budgets;
    for (int i = 0; i < points; ++i) budgets.push_back(points == 1 ? 1.0 : static_cast<double>(i) / (points - 1));
    return budgets;
}

std::vector<BudgetCosts> budgetCosts(const PartitionWhatIf& whatIf, const std::vector<double>& budgets,
                                     const PartitionOptions& options, const FunctionMetadata& metadata,
                                     const NodeTimes& times, const Progress& progress) {
    std::vector<BudgetCosts> rows;
    for (ParetoPoint& point : whatIf.sweep(budgets, options, progress)) {
        const bool known = !rows.empty() && (rows.back().partition == point.partition ||
                                             sameChoice(*rows.back().partition, *point.partition));
        const VariantCosts costs = known ? rows.back().costs : costsOf(*point.partition, metadata, times);
        rows.push_back({point.budget, std::move(point.partition), costs});
    }
    return rows;
}

bool sameChoice(const Partition& a, const Partition& b) {
    const auto same = [](const auto& x, const auto& y) { return x.node == y.node; };
    return std::equal(a.saved.begin(), a.saved.end(), b.saved.begin(), b.saved.end(), same) &&
           std::equal(a.recomputed.begin(), a.recomputed.end(), b.recomputed.begin(), b.recomputed.end(), same);
}

}  // namespace aotscope
