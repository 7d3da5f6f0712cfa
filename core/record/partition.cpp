#include "record/partition.h"

#include <algorithm>
#include <array>
#include <map>

namespace aotscope {

std::string_view name(PartitionAlgorithm algorithm) {
    constexpr std::array<std::string_view, 3> names = {"default", "min-cut", "printed"};
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
    };
    return texts.at(static_cast<std::size_t>(reason));
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

std::string_view describe(Exemption exemption) {
    constexpr std::array<std::string_view, 7> texts = {
        "",
        "a view computes nothing",
        "an element comes with its tuple",
        "marked to be recomputed",
        "the memory budget leaves no room for it",
        "a number",
        "a constant of the program",
    };
    return texts.at(static_cast<std::size_t>(exemption));
}

std::string_view describe(NoSaveReason reason) {
    constexpr std::array<std::string_view, 3> texts = {"", "view op", "non-tensor output"};
    return texts.at(static_cast<std::size_t>(reason));
}

std::int64_t Partition::savedUniqueBytes() const {
    std::set<std::int64_t> inputStorages;
    for (const Node* node : forward->placeholders())
        if (const auto* tensor = node->type.tensor()) inputStorages.insert(tensor->storage);
    std::map<std::int64_t, std::int64_t> storages;
    for (const auto& value : saved)
        if (value.kind == SavedValue::Kind::activation && !inputStorages.contains(value.type.storage))
            storages[value.type.storage] = value.type.storageBytes;
    std::int64_t total = 0;
    for (const auto& [storage, bytes] : storages) total += bytes;
    return total;
}

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
            if (!cut) return "used by the backward";
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
