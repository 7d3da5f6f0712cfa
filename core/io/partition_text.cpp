#include "io/partition_text.h"

#include "io/tables/partition_table.h"
#include "io/tables/table_text.h"
#include "support/formatted.h"
#include "support/names.h"

#include <algorithm>
#include <string_view>

namespace aotscope {

namespace {

std::string budgetText(const BudgetOutcome& outcome) {
    if (outcome.budget >= 1) return "";
    std::string text = "memory budget " + std::to_string(outcome.budget);
    text.erase(std::max(text.find_last_not_of("0.") + 1, std::string_view("memory budget 0").size()));
    text += ": " + formatBytes(outcome.savedBytes) + " of inputs and saved values, " +
            (outcome.fastestBytes > 0 ? "between " + formatBytes(outcome.inputBytes) + " (budget 0) and " +
                                            formatBytes(outcome.fastestBytes) + " (budget 1)"
                                      : formatBytes(outcome.inputBytes) + " of them inputs") +
            "; " + std::string(name(outcome.cut)) + " cut";
    std::size_t kept = 0;
    for (const auto& item : outcome.items) kept += item.kept;
    if (!outcome.items.empty())
        text += ", " + std::to_string(kept) + " of " + counted(outcome.items.size(), "expensive value") + " kept";
    const std::string excess = excessText(outcome);
    return text + "\n" + (excess.empty() ? "" : "warning: " + excess + "\n");
}

}  // namespace

std::string partitionDetails(const Partition& partition, const Graph& joint) {
    const Table values = partitionTable(partition, &joint, {});
    const auto middle = values.rows.begin() + static_cast<std::ptrdiff_t>(partition.saved.size());
    Table saved = values, recomputed = values;
    saved.rows = {values.rows.begin(), middle};
    recomputed.rows = {middle, values.rows.end()};
    saved.summary = recomputed.summary = "";
    saved.columns.front().title = "saved";
    recomputed.columns.front().title = "recomputed";
    std::string text = tableText(
        withColumns(saved, {"name", "op", "type", "bytes", "kept_alive_bytes", "kind", "distance", "flow", "reason"}));
    if (!recomputed.rows.empty())
        text += "\n" + tableText(withColumns(recomputed, {"name", "op", "bytes", "distance", "flow", "reason"}));
    text += "\n" + values.summary;
    if (partition.budget) text += budgetText(*partition.budget);
    if (partition.plan) text += planText(*partition.plan) + "\n";
    return text;
}

}  // namespace aotscope
