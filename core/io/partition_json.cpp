#include "io/partition_json.h"

#include "io/tables/partition_table.h"
#include "io/tables/table_text.h"
#include "record/partition_figures.h"

#include <unordered_map>

namespace aotscope {

namespace {

using nlohmann::json;

/// Names of a graph's nodes by id.
class Names {
public:
    explicit Names(const Graph* graph) {
        if (!graph) return;
        for (const Node* node : graph->nodes()) names_.emplace(node->id(), node->name());
    }
    json of(NodeId id) const {
        const auto it = names_.find(id);
        return it == names_.end() ? json() : json(it->second);
    }

private:
    std::unordered_map<NodeId, std::string> names_;
};

json rulesJson(const std::vector<BanReason>& rules) {
    json list = json::array();
    for (const BanReason rule : rules) list.push_back(describe(rule));
    return list;
}

json decisionJson(const ValueDecision& decision, const Names& names) {
    json j = {{"name", names.of(decision.node)},
              {"fate", name(decision.placement)},
              {"reason", reasonOf(decision)},
              {"bytes", decision.bytes},
              {"distance", decision.distance >= kNoBackwardUse ? json() : json(decision.distance)}};
    if (decision.capacity < 0) return j;  // the default partitioner has no cut
    j["cost"] = decision.capacity >= CutNetwork::kInfinite ? json() : json(decision.capacity);
    j["flow"] = decision.flow;
    j["materialized"] = decision.materialized;
    if (!decision.bans.empty()) j["banned"] = rulesJson(decision.bans);
    if (!decision.overruled.empty()) j["overruled"] = rulesJson(decision.overruled);
    if (decision.exemption != Exemption::none) j["exempt"] = describe(decision.exemption);
    if (decision.noSave != NoSaveReason::none) j["cannot_save"] = describe(decision.noSave);
    return j;
}

json budgetJson(const BudgetOutcome& outcome, const Names& names) {
    json items = json::array();
    for (const auto& item : outcome.items)
        items.push_back(
            {{"name", names.of(item.node)}, {"bytes", item.bytes}, {"cost", item.runtime}, {"kept", item.kept}});
    return {{"budget", outcome.budget},          {"cut", name(outcome.cut)},
            {"input_bytes", outcome.inputBytes}, {"fastest_bytes", outcome.fastestBytes},
            {"saved_bytes", outcome.savedBytes}, {"cuts_solved", outcome.cuts},
            {"excess", outcome.excess},          {"candidates", items}};
}

}  // namespace

json partitionJson(const Partition& partition, const Graph* joint, const PartitionOptions& asked) {
    const PartitionFigures figures = figuresOf(partition);
    const json values = tableJson(partitionTable(partition, joint, asked));
    json saved = json::array(), recomputed = json::array(), decisions = json::array();
    for (std::size_t i = 0; i < partition.saved.size(); ++i) {
        saved.push_back(values[i]);
        if (partition.saved[i].unsized.empty()) continue;
        for (const char* key : {"shape", "bytes", "kept_alive_bytes"}) saved.back()[key] = nullptr;
    }
    for (std::size_t i = 0; i < partition.recomputed.size(); ++i)
        recomputed.push_back(values[partition.saved.size() + i]);
    const Names names(joint);
    for (const auto& decision : partition.decisions) decisions.push_back(decisionJson(decision, names));
    json j = {{"algorithm", name(partition.algorithm)},
              {"saved", saved},
              {"saved_values", figures.savedValues},
              {"saved_unique_bytes", figures.savedBytes},
              {"recomputed", recomputed},
              {"recomputed_operations", figures.recomputedOps},
              {"recomputed_bytes", figures.recomputedBytes},
              {"decisions", decisions}};
    if (partition.network) j["flow"] = partition.network->flow;
    if (partition.budget) j["memory_budget"] = budgetJson(*partition.budget, names);
    return j;
}

json planJson(const PeakPlan& plan) {
    return {{"status", name(plan.status)},
            {"limit_bytes", plan.limitBytes},
            {"peak_bytes", plan.peakBytes},
            {"keep_all_peak_bytes", plan.keepAllBytes},
            {"recomputed_ms", plan.recomputedMs},
            {"bound_ms", plan.boundMs},
            {"ms_per_megabyte", plan.msPerMegabyte},
            {"least_peak_bytes", plan.leastPeakBytes},
            {"least_peak_bound_bytes", plan.leastPeakBoundBytes},
            {"tightest", plan.moment},
            {"seconds", plan.seconds},
            {"note", plan.note}};
}

}  // namespace aotscope
