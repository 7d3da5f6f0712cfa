#include "record/partition.h"

#include "record/partition_figures.h"
#include "support/formatted.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace aotscope {

std::string_view name(PartitionAlgorithm algorithm) {
    constexpr std::array<std::string_view, 4> names = {"default", "min-cut", "printed", "plan"};
    return names.at(static_cast<std::size_t>(algorithm));
}

std::string_view name(SavedValue::Kind kind) {
    constexpr std::array<std::string_view, 3> names = {"activation", "input", "symint"};
    return names.at(static_cast<std::size_t>(kind));
}

std::string_view describe(BanReason reason) {
    constexpr std::array<std::string_view, kBanReasons> texts = {
        "primal input",
        "forward RNG seed",
        "marked to be saved",
        "copy of an input that is overwritten after the forward",
        "not in recomputable allowlist",
        "random op",
        "compute intensive op",
        "materialized in backward",
        "reduction op",
        "used far apart in the forward",
        "end of a long fusible chain",
        "marked MUST_SAVE",
        "border between two checkpointed regions",
        "collective",
        "operation with effects",
        "written to an input that the backward overwrites, too",
    };
    return texts.at(static_cast<std::size_t>(reason));
}

const std::array<BanReason, kBanReasons>& banReasonsInOrder() {
    using enum BanReason;
    static constexpr std::array<BanReason, kBanReasons> order = {primalInput,
                                                                 forwardSeed,
                                                                 mustSave,
                                                                 clonedInput,
                                                                 tagged,
                                                                 regionBorder,
                                                                 collective,
                                                                 effect,
                                                                 mutationSource,
                                                                 notAllowListed,
                                                                 randomOp,
                                                                 computeIntensive,
                                                                 materializedInBackward,
                                                                 reduction,
                                                                 usedFarApart,
                                                                 longFusibleChain};
    return order;
}

std::string_view explain(BanReason reason) {
    constexpr std::array<std::string_view, kBanReasons> texts = {
        "It is an input of the program, so it cannot be recomputed.",
        "It is an RNG seed of the forward.",
        "It is marked as must-save.",
        "It is a copy of an input that is mutated after forward.",
        "Its operation is not on the list of cheap operations.",
        "Its operation uses random numbers.",
        "Its operation is compute-intensive.",
        "Backward reads it from memory anyway: an operation that cannot be fused uses it, or autograd saved it.",
        "It is a reduction: its inputs are more than four times its size.",
        "It is used early and again much later, so one fused kernel cannot serve both uses.",
        "It ends a chain of more than a hundred fusible operations.",
        "Activation checkpointing or a policy says MUST_SAVE.",
        "It lies at the border between two checkpointed regions.",
        "It is the result of a collective, which other ranks take part in.",
        "Its operation has effects that are kept in order.",
        "It is written to an input that the backward overwrites, too.",
    };
    return texts.at(static_cast<std::size_t>(reason));
}

std::string_view whyNotAsked(BanReason reason, const MinCutOptions& options) {
    const auto unless = [](bool asked) { return std::string_view(asked ? "" : "switched off"); };
    switch (reason) {
        case BanReason::notAllowListed: return unless(options.banNotInAllowList);
        case BanReason::randomOp:
        case BanReason::computeIntensive:
            return options.banNotInAllowList ? "not checked: the list of cheap operations decides" : "";
        case BanReason::materializedInBackward: return unless(options.banMaterializedBackward);
        case BanReason::reduction: return unless(options.banReductions);
        case BanReason::usedFarApart: return unless(options.banUsedFarApart);
        case BanReason::longFusibleChain: return unless(options.banLongFusibleChains);
        default: return "";
    }
}

std::string_view name(KnapsackSolver solver) {
    constexpr std::array<std::string_view, 4> names = {"dp", "greedy", "exact", "hirschberg"};
    return names.at(static_cast<std::size_t>(solver));
}

std::string_view name(RuntimeEstimator estimator) {
    constexpr std::array<std::string_view, 4> names = {"flops", "testing", "roofline", "measured"};
    return names.at(static_cast<std::size_t>(estimator));
}

std::string_view name(ValueDecision::Placement placement) {
    constexpr std::array<std::string_view, 4> names = {"forward only", "saved", "recomputed", "backward only"};
    return names.at(static_cast<std::size_t>(placement));
}

std::string_view name(BudgetOutcome::Cut cut) {
    constexpr std::array<std::string_view, 5> names = {"fastest", "wider", "widest", "knapsack", "inputs only"};
    return names.at(static_cast<std::size_t>(cut));
}

std::string excessText(const BudgetOutcome& outcome) {
    if (outcome.excess <= 0) return "";
    return "the knapsack solver 'hirschberg' keeps " + formatted("%.3g", 100 * outcome.excess) +
           " % more than the memory budget " + formatted("%g", outcome.budget) +
           " allows, as PyTorch's does; choose --solver dp or exact";
}

std::string_view describe(Exemption exemption) {
    constexpr std::array<std::string_view, 9> texts = {
        "",
        "a view computes nothing",
        "an element comes with its tuple",
        "marked to be recomputed",
        "the memory budget leaves no room for it",
        "a number",
        "a constant of the program",
        "recomputed by activation checkpointing",
        "the plan does not save it",
    };
    return texts.at(static_cast<std::size_t>(exemption));
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
    constexpr std::array<std::string_view, 3> texts = {"", "view op", "non-tensor output"};
    return texts.at(static_cast<std::size_t>(reason));
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
