#include "record/partition.h"

#include "record/partition_figures.h"
#include "support/enumerators.h"
#include "support/formatted.h"

#include <algorithm>
#include <cctype>

namespace aotscope {

std::string_view name(PartitionAlgorithm algorithm) {
    using enum PartitionAlgorithm;
    return textFor(algorithm,
                   {{defaultPartition, "default"}, {minCut, "min-cut"}, {printed, "printed"}, {planned, "plan"}});
}

std::string_view name(SavedValue::Kind kind) { return spelled(kind); }

namespace {

constexpr BanRule kBanRules[] = {
    {BanReason::primalInput, "primal input", "It is an input of the program, so it cannot be recomputed."},
    {BanReason::forwardSeed, "forward RNG seed", "It is an RNG seed of the forward."},
    {BanReason::mustSave, "marked to be saved", "It is marked as must-save."},
    {BanReason::clonedInput, "copy of an input that is overwritten after the forward",
     "It is a copy of an input that is mutated after forward."},
    {BanReason::tagged, "marked MUST_SAVE", "Activation checkpointing or a policy says MUST_SAVE."},
    {BanReason::regionBorder, "border between two checkpointed regions",
     "It lies at the border between two checkpointed regions."},
    {BanReason::collective, "collective", "It is the result of a collective, which other ranks take part in."},
    {BanReason::effect, "operation with effects", "Its operation has effects that are kept in order."},
    {BanReason::mutationSource, "written to an input that the backward overwrites, too",
     "It is written to an input that the backward overwrites, too."},
    {BanReason::notAllowListed, "not in recomputable allowlist",
     "Its operation is not on the list of cheap operations.", false, &MinCutOptions::banNotInAllowList, "allow-list",
     "partition.cut.banNotInAllowList", "Ban Unlisted Operators", "operations not known to be cheap",
     "without the rule, only random and compute-intensive operations are banned"},
    {BanReason::randomOp, "random op", "Its operation uses random numbers.", true},
    {BanReason::computeIntensive, "compute intensive op", "Its operation is compute-intensive.", true},
    {BanReason::materializedInBackward, "materialized in backward",
     "Backward reads it from memory anyway: an operation that cannot be fused uses it, or autograd saved it.", false,
     &MinCutOptions::banMaterializedBackward, "materialized", "partition.cut.banMaterializedBackward",
     "Ban Materialized Values", "values that backward reads anyway",
     "a backward operation that cannot be fused uses the value, or autograd saved it"},
    {BanReason::reduction, "reduction op", "It is a reduction: its inputs are more than four times its size.", false,
     &MinCutOptions::banReductions, "reductions", "partition.cut.banReductions", "Ban Reductions", "reductions",
     "operations whose results are much smaller than their inputs"},
    {BanReason::usedFarApart, "used far apart in the forward",
     "It is used early and again much later, so one fused kernel cannot serve both uses.", false,
     &MinCutOptions::banUsedFarApart, "far-apart", "partition.cut.banUsedFarApart", "Ban Values Used Far Apart",
     "values used early and much later", "values that one fused kernel cannot compute for both uses"},
    {BanReason::longFusibleChain, "end of a long fusible chain",
     "It ends a chain of more than a hundred fusible operations.", false, &MinCutOptions::banLongFusibleChains,
     "long-chains", "partition.cut.banLongFusibleChains", "Ban Long Chains", "ends of long fusible chains",
     "values at the end of many operations that one kernel could compute: all of these would run again"},
};

static_assert(std::size(kBanRules) == kEnumerators<BanReason>.size());

}  // namespace

std::span<const BanRule> banRules() { return kBanRules; }

std::string_view describe(BanReason reason) { return std::ranges::find(kBanRules, reason, &BanRule::reason)->text; }

std::string_view whyNotAsked(const BanRule& rule, const MinCutOptions& options) {
    if (rule.replaced && options.banNotInAllowList) return "not checked: the list of cheap operations decides";
    return rule.option && !(options.*rule.option) ? "switched off" : "";
}

std::string_view name(KnapsackSolver solver) {
    using enum KnapsackSolver;
    return textFor(
        solver, {{dynamicProgramming, "dp"}, {greedy, "greedy"}, {exact, "exact"}, {slidingHirschberg, "hirschberg"}});
}

std::string_view name(RuntimeEstimator estimator) { return spelled(estimator); }
std::string_view name(OperationOrdering order) { return spelled(order); }

std::string_view name(ValueDecision::Placement placement) { return spelled(placement); }

std::string_view name(BudgetOutcome::Cut cut) { return spelled(cut); }

std::string excessText(const BudgetOutcome& outcome) {
    if (outcome.excess <= 0) return "";
    return "the knapsack solver 'hirschberg' keeps " + formatted("%.3g", 100 * outcome.excess) +
           " % more than the memory budget " + formatted("%g", outcome.budget) +
           " allows, as PyTorch's does; choose --solver dp or exact";
}

std::string_view name(PeakPlan::Status status) { return spelled(status); }

namespace {

/// "; the peak is at %mul_3 in the backward, and 1 MB more spares about 12.3 µs".
std::string priceText(const PeakPlan& plan) {
    if (plan.msPerMegabyte <= 0) return "";
    return "; the peak is " + plan.moment + ", and 1 MB more spares about " + formatDuration(plan.msPerMegabyte);
}

}  // namespace

std::string planText(const PeakPlan& plan) {
    if (plan.status == PeakPlan::Status::infeasible) return brokenLimitText(plan);
    const std::string limit = "plan for a peak of at most " + formatBytes(plan.limitBytes),
                      figures = " recomputes " + formatDuration(plan.recomputedMs) + ", with a peak of " +
                                formatBytes(plan.peakBytes) + " (" + formatBytes(plan.keepAllBytes) +
                                " if everything is kept)" + priceText(plan);
    if (plan.status == PeakPlan::Status::optimal) return "the optimal " + limit + figures;
    if (plan.boundMs <= 0) return "the best " + limit + " that was found" + figures;
    const double less = 1 - plan.boundMs / plan.recomputedMs;
    return "the " + limit + ", at most " + formatted("%.2g", 100 * less) + " % from the optimum," + figures +
           "; no plan recomputes less than " + formatDuration(plan.boundMs);
}

std::string brokenLimitText(const PeakPlan& plan) {
    if (plan.status != PeakPlan::Status::infeasible) return "";
    return "no plan with a peak of at most " + formatBytes(plan.limitBytes) + " was found; the lowest peak found is " +
           formatBytes(plan.peakBytes) + ", " + plan.moment + ", and no plan has one below " +
           formatBytes(plan.leastPeakBoundBytes);
}

std::string_view describe(Exemption exemption) {
    using enum Exemption;
    return textFor(exemption, {{none, ""},
                               {view, "a view computes nothing"},
                               {element, "an element comes with its tuple"},
                               {mustRecompute, "marked to be recomputed"},
                               {budget, "the memory budget leaves no room for it"},
                               {symbolicReal, "a number"},
                               {freshCopy, "a constant of the program"},
                               {checkpointed, "recomputed by activation checkpointing"},
                               {planned, "the plan does not save it"}});
}

std::pair<CheckpointPolicy, std::string> splitPolicy(const std::string& text) {
    const auto equals = text.find('=');
    std::string word = text.substr(0, equals);
    std::ranges::transform(word, word.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    const auto policy = checkpointPolicyFromName(word);
    if (!policy || equals == std::string::npos || equals + 1 == text.size())
        throw UsageError("--policy " + text +
                         ": expected POLICY=QUERY, where POLICY is must_save, prefer_save, must_recompute or "
                         "prefer_recompute, for example must_save=op:mm");
    return {*policy, text.substr(equals + 1)};
}

std::string_view describe(NoSaveReason reason) {
    using enum NoSaveReason;
    return textFor(reason, {{none, ""}, {view, "view op"}, {nonTensor, "non-tensor output"}});
}

std::string SavedValue::bytesText() const { return unsized.empty() ? formatBytes(type.bytes()) : "?"; }

std::int64_t Partition::savedUniqueBytes() const { return figuresOf(*this).savedBytes; }

std::int64_t Partition::savedBytes(SavedValue::Kind kind) const {
    std::int64_t total = 0;
    for (const auto& value : saved)
        if (value.kind == kind) total += value.type.bytes();
    return total;
}

std::string reasonOf(const ValueDecision& decision) {
    const bool cut = decision.capacity >= 0;
    switch (decision.placement) {
        case ValueDecision::Placement::saved:
            if (decision.exemption == Exemption::planned) return "the plan saves it";
            if (!cut && decision.bans.empty()) return "used by the backward";
            if (decision.capacity == 0 && decision.bytes > 0) return "in memory anyway: saving it is free";
            return decision.bans.empty() ? "cheaper to save than the values it is computed from"
                                         : "cannot recompute: " + std::string(describe(decision.bans.front()));
        case ValueDecision::Placement::recomputed:
            if (decision.noSave != NoSaveReason::none) return "cannot save: " + std::string(describe(decision.noSave));
            return decision.exemption == Exemption::none ? "cheaper to recompute than to save"
                                                         : std::string(describe(decision.exemption));
        case ValueDecision::Placement::backwardOnly: return "computed in the backward only";
        default: return "the backward does not need it";
    }
}

}  // namespace aotscope
