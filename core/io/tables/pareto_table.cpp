#include "io/pareto_text.h"

#include "io/cost_json.h"
#include "io/cost_text.h"
#include "io/text_report.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

namespace aotscope {

namespace {

std::string budgetText(double budget) {
    char text[16];
    std::snprintf(text, sizeof text, "%.3f", budget);
    return text;
}

}  // namespace

std::string paretoText(const std::vector<BudgetCosts>& rows) {
    const bool measured = std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.costs.measured; });
    const bool exchanged =
        std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.costs.simulatedMs > 0; });
    std::vector<std::vector<std::string>> table = {
        {"budget", "saved", "peak", "forward", "backward", "recomputed", "time again"}};
    if (exchanged)
        for (const char* title : {"sent", "exposed", "with communication"}) table.front().emplace_back(title);
    if (measured)
        for (const char* title : {"measured saved", "measured peak", "measured forward", "measured backward"})
            table.front().emplace_back(title);
    for (const BudgetCosts& row : rows) {
        const VariantCosts& costs = row.costs;
        const auto time = [&](double ms) { return timeText(ms, costs.basis); };
        table.push_back({budgetText(row.budget), formatBytes(costs.savedBytes), formatBytes(costs.peakBytes),
                         time(costs.forwardMs), time(costs.backwardMs), std::to_string(costs.recomputedOps),
                         time(costs.recomputedMs)});
        if (exchanged)
            for (const std::string& cell :
                 {formatBytes(costs.sentBytes), formatEstimate(costs.exposedMs), formatEstimate(costs.simulatedMs)})
                table.back().push_back(cell);
        if (!measured) continue;
        const auto& found = costs.measured;
        table.back().push_back(found ? formatBytes(found->savedBytes) : "");
        table.back().push_back(found ? formatBytes(found->peakBytes) : "");
        table.back().push_back(found ? formatDuration(found->forwardMs) : "");
        table.back().push_back(found ? formatDuration(found->backwardMs) : "");
    }
    return textTable(table);
}

nlohmann::json paretoJson(const std::vector<BudgetCosts>& rows) {
    nlohmann::json list = nlohmann::json::array();
    for (const BudgetCosts& row : rows) {
        nlohmann::json j = variantCostsJson(row.costs);
        j["budget"] = row.budget;
        nlohmann::json recomputed = nlohmann::json::array();
        for (const RecomputedValue& value : row.partition->recomputed) recomputed.push_back(value.name);
        j["recomputed"] = std::move(recomputed);
        list.push_back(std::move(j));
    }
    return list;
}

}  // namespace aotscope
