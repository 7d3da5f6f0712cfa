#include "partition/pareto.h"

#include "partition/checkpointed_modules.h"
#include "record/options/peak_limit.h"
#include "support/enumerators.h"
#include "support/formatted.h"

#include <algorithm>

namespace aotscope {

std::string_view name(SweepKind kind) { return spelled(kind); }

SweepKind kindOf(const PartitionOptions& options) {
    if (plansByPeak(options)) return SweepKind::plan;
    return checkpointedBy(options.policies) > 0 ? SweepKind::checkpointing : SweepKind::budget;
}

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
    const bool planned = row.kind == SweepKind::plan;
    options.algorithm = planned ? PartitionAlgorithm::planned : PartitionAlgorithm::minCut;
    options.memoryBudget = planned ? 1 : row.budget;
    options.peak = planned ? formatted("%.3f", row.budget) : "";
    options.policies.insert(options.policies.end(), row.policies.begin(), row.policies.end());
    return options;
}

std::vector<BudgetCosts> planCosts(const PartitionWhatIf& whatIf, int points, const PartitionOptions& options,
                                   const FunctionMetadata& metadata, const NodeTimes& times, const Progress& progress) {
    std::vector<BudgetCosts> rows;
    for (int i = 0; i < points; ++i) {
        progress.enter(stageOf("plan", i + 1, points));
        BudgetCosts row{.budget = 1 - static_cast<double>(i) / (points + 1), .kind = SweepKind::plan};
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

std::vector<BudgetCosts> checkpointCosts(const PartitionWhatIf& whatIf, int points, const PartitionOptions& options,
                                         const FunctionMetadata& metadata, const NodeTimes& times,
                                         const Progress& progress) {
    const std::vector<std::string> all = repeatedModules(whatIf.joint());
    const int most = std::min(points, static_cast<int>(all.size()));
    std::vector<BudgetCosts> rows;
    for (const CheckpointedPart part : {CheckpointedPart::whole, CheckpointedPart::selective}) {
        const bool selective = part == CheckpointedPart::selective;
        for (int i = 1; i <= most; ++i) {
            const std::size_t count = all.size() * static_cast<std::size_t>(i) / static_cast<std::size_t>(most);
            const std::vector<std::string> modules(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
            if (selective && !hasProducts(whatIf.joint(), modules)) continue;
            progress.enter(stageOf(selective ? "selective checkpointing" : "checkpointing", i, most));
            BudgetCosts row{.kind = SweepKind::checkpointing, .policies = checkpointPolicies(modules, part)};
            row.checkpointed = std::to_string(count) + " of " + std::to_string(all.size());
            if (selective) row.checkpointed += ", selective";
            row.partition = whatIf.partition(optionsOf(row, options), progress);
            row.costs = costsOf(*row.partition, metadata, times);
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

bool isTrap(const BudgetCosts& row, const std::vector<BudgetCosts>& rows) {
    const auto isBudget = [](const BudgetCosts& any) { return any.kind == SweepKind::budget; };
    return isBudget(row) && std::ranges::any_of(rows, [&](const BudgetCosts& other) {
               return isBudget(other) && other.budget > row.budget && other.costs.peakBytes < row.costs.peakBytes;
           });
}

bool sameChoice(const Partition& a, const Partition& b) {
    const auto same = [](const auto& x, const auto& y) { return x.node == y.node; };
    return std::equal(a.saved.begin(), a.saved.end(), b.saved.begin(), b.saved.end(), same) &&
           std::equal(a.recomputed.begin(), a.recomputed.end(), b.recomputed.begin(), b.recomputed.end(), same);
}

}  // namespace aotscope
