#include "partition/pareto.h"

#include "support/formatted.h"

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

PartitionOptions optionsOf(const BudgetCosts& row, PartitionOptions options) {
    options.algorithm = row.planned ? PartitionAlgorithm::planned : PartitionAlgorithm::minCut;
    options.memoryBudget = row.planned ? 1 : row.budget;
    options.peak = row.planned ? formatted("%.3f", row.budget) : "";
    return options;
}

std::vector<BudgetCosts> planCosts(const PartitionWhatIf& whatIf, int points, const PartitionOptions& options,
                                   const FunctionMetadata& metadata, const NodeTimes& times, const Progress& progress) {
    std::vector<BudgetCosts> rows;
    for (int i = 0; i < points; ++i) {
        progress.enter(stageOf("plan", i + 1, points));
        BudgetCosts row{.budget = 1 - static_cast<double>(i) / (points + 1), .planned = true};
        PartitionOptions asked = optionsOf(row, options);
        asked.planSeconds = 0;
        row.partition = whatIf.partition(asked, progress);
        if (!row.partition->plan || row.partition->plan->status == PeakPlan::Status::infeasible) break;
        row.costs = costsOf(*row.partition, metadata, times);
        rows.push_back(std::move(row));
    }
    // What a smaller limit allows, a larger one does, too.
    for (std::size_t i = rows.size(); i-- > 1;)
        if (rows[i].costs.recomputedMs < rows[i - 1].costs.recomputedMs) {
            rows[i - 1].partition = rows[i].partition;
            rows[i - 1].costs = rows[i].costs;
        }
    return rows;
}

bool isTrap(const BudgetCosts& row, const std::vector<BudgetCosts>& rows) {
    return !row.planned && std::ranges::any_of(rows, [&](const BudgetCosts& other) {
        return !other.planned && other.budget > row.budget && other.costs.peakBytes < row.costs.peakBytes;
    });
}

bool sameChoice(const Partition& a, const Partition& b) {
    const auto same = [](const auto& x, const auto& y) { return x.node == y.node; };
    return std::equal(a.saved.begin(), a.saved.end(), b.saved.begin(), b.saved.end(), same) &&
           std::equal(a.recomputed.begin(), a.recomputed.end(), b.recomputed.begin(), b.recomputed.end(), same);
}

}  // namespace aotscope
