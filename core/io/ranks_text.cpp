#include "io/ranks_text.h"

#include "io/text_report.h"
#include "support/formatted.h"
#include "support/names.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace aotscope {

namespace {

constexpr std::size_t kMostDifferences = 5;

std::string errorText(double error) { return formatted("%.3g", error); }

/// What `row` has cells for.
std::vector<std::string> rankColumns(const RankRow& row) {
    std::vector<std::string> columns = {"rank",  "check",   "outputs differ by", "gradients differ by",
                                        "eager", "compiled"};
    if (row.cells.size() >= columns.size()) columns.insert(columns.end(), {"ratio", "peak memory"});
    return columns;
}

}  // namespace

RankRow rankRow(const CheckResult& check, const TimingResult* timing) {
    RankRow row{check.ok,
                {check.ok ? "equal" : "DIFFERENT", errorText(check.outputsMaxError), errorText(check.gradsMaxError)},
                check.details};
    row.cells.push_back(formatDuration(timing ? timing->eagerStepMs.median : check.eagerMs));
    row.cells.push_back(formatDuration(timing ? timing->compiledStepMs.median : check.compiledMs));
    if (timing) {
        row.cells.push_back(formatted("%.3g", timing->stepRatio.median));
        row.cells.push_back(formatBytes(timing->compiledPeakBytes));
    }
    return row;
}

nlohmann::json rankRowJson(const RankRow& row) {
    return {{"ok", row.ok}, {"cells", row.cells}, {"details", row.details}};
}

RankRow rankRowFrom(const nlohmann::json& document) {
    return {document.at("ok").get<bool>(), document.at("cells").get<std::vector<std::string>>(),
            document.at("details").get<std::vector<std::string>>()};
}

std::string ranksText(const std::vector<RankRow>& rows) {
    std::vector<std::vector<std::string>> table = {rankColumns(rows.front())};
    for (std::size_t rank = 0; rank < rows.size(); ++rank) {
        table.push_back({std::to_string(rank)});
        table.back().insert(table.back().end(), rows[rank].cells.begin(), rows[rank].cells.end());
    }
    std::string text = textTable(table);
    for (std::size_t rank = 0; rank < rows.size(); ++rank) {
        const auto& details = rows[rank].details;
        for (std::size_t i = 0; i < std::min(details.size(), kMostDifferences); ++i)
            text += "rank " + std::to_string(rank) + ": " + details[i] + "\n";
        if (details.size() > kMostDifferences)
            text += "rank " + std::to_string(rank) + ": ... and " +
                    counted(details.size() - kMostDifferences, "more difference") + "\n";
    }
    const auto equal = static_cast<std::size_t>(std::ranges::count_if(rows, &RankRow::ok));
    return text + (equal == rows.size() ? "all " + counted(rows.size(), "rank") + " equal eager\n"
                                        : std::to_string(rows.size() - equal) + " of " + counted(rows.size(), "rank") +
                                              " differ from eager\n");
}

}  // namespace aotscope
