#pragma once

#include "cost/variant_costs.h"
#include "partition/what_if.h"

#include <vector>

namespace aotscope {

/// What a row of a sweep asks for.
enum class SweepKind : std::uint8_t {
    budget,
    plan,          ///< for a limit of the peak
    checkpointing  ///< of some of the modules that the model repeats
};

std::string_view name(SweepKind kind);

/// A partition for one memory budget, one limit of the peak, or some checkpointed modules, and its costs.
struct BudgetCosts {
    double budget = 1;  ///< of plans: the limit, as a share of the peak if everything is kept
    std::shared_ptr<const Partition> partition;
    VariantCosts costs;
    SweepKind kind = SweepKind::budget;
    std::vector<std::string> policies = {};  ///< of checkpointing
    std::string checkpointed = {};           ///< "6 of 12", "6 of 12, selective"
};

/// What kind of row these are the options of.
SweepKind kindOf(const PartitionOptions& options);

/// `points` evenly spaced budgets from 0 to 1.
std::vector<double> evenBudgets(int points);

/// All other options are those of `options`.
std::vector<BudgetCosts> budgetCosts(const PartitionWhatIf& whatIf, const std::vector<double>& budgets,
                                     const PartitionOptions& options, const FunctionMetadata& metadata,
                                     const NodeTimes& times, const Progress& progress);

/// Options for such a partition, with all others from `options`.
PartitionOptions optionsOf(const BudgetCosts& row, PartitionOptions options);

/// `points` plans, for evenly spaced limits below the peak if everything is kept, down to the first that cannot be
/// held. They are found quickly, without proof.
std::vector<BudgetCosts> planCosts(const PartitionWhatIf& whatIf, int points, const PartitionOptions& options,
                                   const FunctionMetadata& metadata, const NodeTimes& times, const Progress& progress);

/// `points` rows for activation checkpointing of the first of the repeated modules, up to all, and as many for
/// selective checkpointing; none if the model repeats no modules.
std::vector<BudgetCosts> checkpointCosts(const PartitionWhatIf& whatIf, int points, const PartitionOptions& options,
                                         const FunctionMetadata& metadata, const NodeTimes& times,
                                         const Progress& progress);

/// Whether a larger budget among `rows` has a lower peak.
bool isTrap(const BudgetCosts& row, const std::vector<BudgetCosts>& rows);

/// Whether both save and recompute the same values.
bool sameChoice(const Partition& a, const Partition& b);

}  // namespace aotscope
