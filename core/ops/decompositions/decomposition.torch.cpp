#include "ops/decompositions/decomposition.h"

#include <algorithm>

namespace aotscope {

namespace {

std::uint8_t setOf(const std::string& name) {
    if (name == "core-aten") return kCoreAten;
    if (name == "inductor") return kInductor;
    return name == "prims" ? kPrims : 0;
}

}  // namespace

const std::vector<DecompositionRow>& decompositionRows() {
    static const auto rows = [] {
        std::vector<DecompositionRow> all;
        for (const auto& family :
             {activationDecompositions(), attentionDecompositions(), creationDecompositions(),
              elementwiseDecompositions(), indexingDecompositions(), lossDecompositions(),
              normalizationDecompositions(), primsDecompositions(), spatialDecompositions(), viewDecompositions()})
            all.insert(all.end(), family.begin(), family.end());
        return all;
    }();
    return rows;
}

const std::vector<DecompositionRule>& allDecompositionRules() {
    static const auto rules = [] {
        std::vector<DecompositionRule> all;
        for (const std::string& set : DecompositionTable::names())
            for (const DecompositionRow& row : decompositionRows()) {
                if (!(row.sets & setOf(set))) continue;
                const auto same = std::ranges::find_if(
                    all, [&](const DecompositionRule& known) { return known.op == row.op && known.rule == row.rule; });
                if (same == all.end()) all.push_back({row.op, row.rule, {set}});
                else same->sets.push_back(set);
            }
        std::ranges::stable_sort(all, {}, &DecompositionRule::op);
        return all;
    }();
    return rules;
}

ChosenDecompositions::ChosenDecompositions(const DecompositionTable& table) {
    const auto entries = table.entries(allDecompositionRules());
    std::map<std::string_view, std::uint8_t> sets;
    for (const DecompositionEntry& entry : entries) sets[entry.op] = setOf(entry.set);
    for (const DecompositionRow& row : decompositionRows())
        if (const auto set = sets.find(row.op); set != sets.end() && (row.sets & set->second)) rows_[row.op] = &row;
}

std::shared_ptr<const ChosenDecompositions> ChosenDecompositions::of(
    const std::shared_ptr<const DecompositionTable>& table) {
    return table ? std::make_shared<const ChosenDecompositions>(*table) : nullptr;
}

const DecompositionRow* ChosenDecompositions::find(std::string_view op) const {
    const auto it = rows_.find(op);
    return it == rows_.end() ? nullptr : it->second;
}

}  // namespace aotscope
