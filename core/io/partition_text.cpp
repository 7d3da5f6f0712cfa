#include "io/partition_text.h"

#include "io/text_report.h"
#include "record/partition_figures.h"
#include "support/joined.h"
#include "support/names.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace aotscope {

namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string textOf(const std::vector<BanReason>& rules) {
    return joined(rules, ", ", [](BanReason rule) { return std::string(describe(rule)); });
}

/// The reason, and what else forbids recomputing it.
std::string allReasons(const ValueDecision& decision) {
    std::string text = reasonOf(decision);
    if (decision.bans.size() > 1) text += "; also: " + textOf({decision.bans.begin() + 1, decision.bans.end()});
    if (!decision.overruled.empty()) text += "; overrules: " + textOf(decision.overruled);
    return text;
}

std::string distanceOf(const ValueDecision& decision) {
    return decision.distance >= kNoBackwardUse ? "-" : std::to_string(decision.distance);
}

std::string keptAlive(const SavedValue& value, const PartitionFigures::Saved& share) {
    if (share.share != SavedShare::own) return "-";
    return value.unsized.empty() ? formatBytes(share.bytes) : "?";
}

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
    std::unordered_map<NodeId, const ValueDecision*> decisions;
    for (const ValueDecision& decision : partition.decisions) decisions.emplace(decision.node, &decision);
    const bool cut = partition.network != nullptr;
    const PartitionFigures figures = figuresOf(partition);
    Rows saved = {{"saved", "op", "type", "bytes", "kept alive", "kind"}}, again = {{"recomputed", "op", "bytes"}};
    for (Rows* rows : {&saved, &again}) {
        if (cut) rows->front().insert(rows->front().end(), {"distance", "flow"});
        rows->front().emplace_back("reason");
    }
    const auto finish = [&](Rows& rows, std::vector<std::string> row, NodeId node, const std::string& otherwise) {
        const auto it = decisions.find(node);
        if (cut && it != decisions.end())
            row.insert(row.end(), {distanceOf(*it->second), formatBytes(it->second->flow)});
        row.push_back(it != decisions.end() ? allReasons(*it->second) : otherwise);
        rows.push_back(std::move(row));
    };
    for (std::size_t i = 0; i < partition.saved.size(); ++i) {
        const SavedValue& value = partition.saved[i];
        finish(saved,
               {"%" + value.name + (value.label.empty() ? "" : " (" + value.label + ")"), value.op,
                formatType(partition, value), value.bytesText(), keptAlive(value, figures.saved[i]),
                std::string(name(value.kind))},
               value.node, value.reason);
    }
    for (std::size_t i = 0; i < partition.recomputed.size(); ++i) {
        const RecomputedValue& value = partition.recomputed[i];
        const auto& bytes = figures.recomputed[i];
        finish(again, {"%" + value.name, value.op, bytes ? formatBytes(*bytes) : "-"}, value.node, "");
    }
    std::string text = textTable(saved);
    if (!partition.recomputed.empty()) text += "\n" + textTable(again);
    text += "\n" + std::string(name(partition.algorithm)) + " partition of " + counted(joint.callCount(), "operation") +
            ": " + figuresText(figures);
    if (const std::string kept = keptText(figures); !kept.empty()) text += "; kept anyway: " + kept;
    text += "\n";
    if (partition.budget) text += budgetText(*partition.budget);
    return text;
}

}  // namespace aotscope
