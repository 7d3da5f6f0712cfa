#include "partition/budget.h"

#include "cost/flops.h"
#include "partition/knapsack.h"
#include "support/error.h"
#include "support/formatted.h"

#include <algorithm>
#include <set>

namespace aotscope {

namespace {

constexpr double kUnit = 1e9;  ///< sizes are compared in this unit, so that rounding matches PyTorch's

}  // namespace

BudgetedCut BudgetChooser::at(double budget) {
    if (!(budget >= 0 && budget <= 1))
        throw Error("memory budget " + formatted("%g", budget) +
                    ": expected a number from 0 (least memory) to 1 (fastest)");
    cuts_ = 0;
    using Kind = BudgetOutcome::Cut;
    const auto chosen = [&](Cut cut, Kind kind) {
        BudgetedCut result{std::move(cut), {}};
        result.outcome.budget = budget;
        result.outcome.cut = kind;
        result.outcome.savedBytes = bytesOf(result.cut.saved);
        result.outcome.cuts = cuts_;
        result.outcome.inputBytes = inputBytes();
        if (fastest_) result.outcome.fastestBytes = bytesOf(fastest_->saved);
        return result;
    };
    const auto nothingButInputs = [&] {
        CutRules everything = rules();
        everything.recomputeEverything = true;
        ++cuts_;
        return chosen(solveMinCut(facts_, everything), Kind::inputsOnly);
    };
    if (budget == 0) return nothingButInputs();
    if (budget == 1 || range() <= 0) return chosen(fastest(), Kind::fastest);
    if (ratio(wider()) < budget) return chosen(wider(), Kind::wider);
    if (ratio(widest()) < budget) return chosen(widest(), Kind::widest);
    chooseItems();
    if (items_->empty()) return nothingButInputs();
    const auto kept = solveKnapsack(options_.solver, weights_, runtimes_, budget);
    CutRules some = widestRules();
    for (std::size_t k = 0; k < kept.size(); ++k)
        if (!kept[k]) some.dontBan.insert(facts_.node((*items_)[k])->id());
    ++cuts_;
    BudgetedCut result = chosen(solveMinCut(facts_, some), Kind::knapsack);
    result.outcome.excess = knapsackExcess(options_.solver, weights_, kept, budget);
    for (std::size_t k = 0; k < kept.size(); ++k) {
        const int i = (*items_)[k];
        result.outcome.items.push_back({facts_.node(i)->id(), facts_[i].bytes, runtimes_[k], kept[k]});
    }
    return result;
}

const Cut& BudgetChooser::fastest() {
    if (!fastest_) fastest_ = solveMinCut(facts_, rules());
    cuts_ = std::max(cuts_, 1);
    return *fastest_;
}

const Cut& BudgetChooser::wider() {
    if (!wider_) wider_ = solveMinCut(facts_, widerRules());
    cuts_ = std::max(cuts_, 2);
    return *wider_;
}

const Cut& BudgetChooser::widest() {
    if (!widest_) widest_ = solveMinCut(facts_, widestRules());
    cuts_ = std::max(cuts_, 3);
    return *widest_;
}

CutRules BudgetChooser::widerRules() const {
    CutRules wider = rules();
    wider.banUsedFarApart = wider.banLongFusibleChains = wider.banMaterializedBackward = false;
    return wider;
}

CutRules BudgetChooser::widestRules() const {
    CutRules widest = widerRules();
    widest.banNotInAllowList = false;
    return widest;
}

/// The candidates for recomputation: values that the widest cut must not recompute, largest first.
void BudgetChooser::chooseItems() {
    if (items_) return;
    std::set<std::int64_t> inputStorages;
    for (int i = 0; i < facts_.size(); ++i)
        if (const TensorType* type = facts_[i].primal ? facts_.node(i)->type.tensor() : nullptr)
            inputStorages.insert(type->storage);
    std::vector<int> items;
    for (int i = 0; i < facts_.size(); ++i) {
        const JointNodeFacts& f = facts_[i];
        // Unlike PyTorch: random operations would draw different numbers.
        if (!widest().banned(i) || f.distance >= kNoBackwardUse || f.random || f.copiesMutatedInput || f.primal ||
            tags_.mustSave(i) || options_.cut.mustSave.contains(facts_.node(i)->id()))
            continue;
        const TensorType* type = facts_.node(i)->type.tensor();
        if (!type || type->storage < 0 || !inputStorages.contains(type->storage)) items.push_back(i);
    }
    std::stable_sort(items.begin(), items.end(), [&](int a, int b) { return facts_[a].bytes > facts_[b].bytes; });
    for (int i : items) {
        weights_.push_back(static_cast<double>(facts_[i].bytes) / kUnit / range());
        runtimes_.push_back(runtimeOf(i));
    }
    items_ = std::move(items);
}

double BudgetChooser::runtimeOf(int i) const {
    const Node& node = *facts_.node(i);
    const auto timed = [&](const std::function<double(const Node&)>& milliseconds) {
        if (!milliseconds)
            throw Error("the estimator '" + std::string(name(options_.estimator)) +
                        "' has no times of operations here; choose another, or let 'aotscope partition' measure them");
        return milliseconds(node);
    };
    switch (options_.estimator) {
        case RuntimeEstimator::flops: return static_cast<double>(std::max<std::int64_t>(flopCount(node), 1));
        case RuntimeEstimator::roofline: return timed(model_.roofline);
        case RuntimeEstimator::measured: return timed(model_.measured);
        default: return 1;
    }
}

std::int64_t BudgetChooser::bytesOf(const std::vector<int>& values) const {
    std::int64_t total = 0;
    for (int i : values) total += facts_[i].bytes;
    return total;
}

std::int64_t BudgetChooser::inputBytes() const {
    std::int64_t total = 0;
    for (int i = 0; i < facts_.size(); ++i) total += facts_[i].primal ? facts_[i].bytes : 0;
    return total;
}

/// From budget 0 to budget 1.
double BudgetChooser::range() {
    return static_cast<double>(bytesOf(fastest().saved)) / kUnit - static_cast<double>(inputBytes()) / kUnit;
}

double BudgetChooser::ratio(const Cut& cut) {
    return (static_cast<double>(bytesOf(cut.saved)) / kUnit - static_cast<double>(inputBytes()) / kUnit) / range();
}

}  // namespace aotscope
