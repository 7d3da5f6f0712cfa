#include "io/ranks/ranks_text.h"

#include "io/tables/rank_tables.h"
#include "io/tables/table_text.h"
#include "io/text_report.h"
#include "support/formatted.h"
#include "support/json/message_members.h"
#include "support/names.h"
#include "support/printable.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <iterator>

namespace aotscope {

namespace {

constexpr std::size_t kMostDifferences = 5;

std::string errorText(double error) { return formatted("%.3g", error); }

/// The columns for which `row` has cells.
std::vector<std::string> rankColumns(const RankRow& row) {
    std::vector<std::string> columns = {"rank",  "check",   "outputs differ by", "gradients differ by",
                                        "eager", "compiled"};
    if (row.cells.size() >= columns.size()) columns.insert(columns.end(), {"ratio", "peak memory"});
    return columns;
}

using Kind = RankDifference::Kind;

/// A line for all ranks with equal values.
std::string eachText(const RankDifference& difference, const std::vector<std::string>& ranks) {
    std::string text;
    for (const Table::Row& row : rankPlaceTable(difference, ranks).rows)
        text += "  " + row.cells[0].text + ": " + row.cells[1].text + "\n";
    return text;
}

/// In the order of the lines of a comparison.
constexpr std::array<std::pair<Kind, std::string_view>, 6> kAspects = {{
    {Kind::missing, "compilations"},
    {Kind::graph, "graphs"},
    {Kind::collectives, "collectives"},
    {Kind::saved, "saved values"},
    {Kind::sizes, "sizes"},
    {Kind::values, "values"},
}};

}  // namespace

std::string headline(const RankDifference& difference) {
    if (!difference.among.empty()) return difference.among + " differs";
    const std::string graph(graphName(difference));
    switch (difference.kind) {
        case Kind::missing: return "not compiled everywhere";
        case Kind::graph:
            return difference.node.empty() ? graph + " is not on every rank"
                                           : graph + " differs first at " + difference.node;
        case Kind::sizes: return graph + " has other sizes, first at " + difference.node;
        case Kind::values:
            return graph.empty() ? "symbol " + difference.node + " has other values"
                                 : graph + " has other numbers, first at " + difference.node;
        case Kind::saved: return "other values are saved";
        case Kind::collectives: break;
    }
    return "collective " + difference.node + " differs";
}

std::span<const std::pair<Kind, std::string_view>> comparedAspects() { return kAspects; }

RankRow rankRow(const CheckResult& check, const TimingResult* timing) {
    const bool equal = check.verdict() == CheckVerdict::equal;
    RankRow row{equal,
                {equal      ? "equal"
                 : check.ok ? "not compared"
                            : "DIFFERENT",
                 errorText(check.outputsMaxError), errorText(check.gradsMaxError)},
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
    return {truthOf(document, "ok"), textsOf(document, "cells"), textsOf(document, "details")};
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
            text += "rank " + std::to_string(rank) + ": " + printable(details[i]) + "\n";
        if (details.size() > kMostDifferences)
            text += "rank " + std::to_string(rank) + ": ... and " +
                    counted(details.size() - kMostDifferences, "more difference") + "\n";
    }
    const auto equal = static_cast<std::size_t>(std::ranges::count_if(rows, &RankRow::ok));
    return text + (equal == rows.size() ? "all " + counted(rows.size(), "rank") + " equal eager\n"
                                        : std::to_string(rows.size() - equal) + " of " + counted(rows.size(), "rank") +
                                              " differ from eager\n");
}

std::string rankDifferencesText(const std::vector<RankDifference>& differences, const std::vector<std::string>& ranks) {
    if (differences.empty()) return "the graphs, saved values and collectives of all ranks are the same\n";
    std::string text;
    for (const RankDifference& difference : differences)
        text += (difference.compile.empty() ? "" : difference.compile + ": ") + headline(difference) + "\n" +
                eachText(difference, ranks);
    return text;
}

std::string rankComparisonText(const RankComparison& comparison) {
    std::string text;
    for (const auto& [kind, name] : kAspects) {
        std::vector<RankDifference> own;
        std::ranges::copy_if(comparison.differences, std::back_inserter(own),
                             [kind = kind](const RankDifference& difference) { return difference.kind == kind; });
        const bool told = kind != Kind::missing;  // for models, which are one compilation each
        if (own.empty() && told) text += std::string(name) + ": equal\n";
        for (const RankDifference& difference : own)
            text += std::string(name) + ": " + rankDifferencesText({difference}, comparison.ranks);
    }
    if (!comparison.leftOut.empty()) text += comparison.leftOut + "\n";
    return text;
}

nlohmann::json rankComparisonJson(const RankComparison& comparison) {
    nlohmann::json equal = nlohmann::json::object();
    for (const auto& [kind, name] : kAspects)
        equal[std::string(name)] = std::ranges::none_of(
            comparison.differences, [kind = kind](const RankDifference& each) { return each.kind == kind; });
    return {{"schema", 1},
            {"ranks", comparison.ranks},
            {"left_out", comparison.leftOut},
            {"equal", std::move(equal)},
            {"differences", tableJson(rankDifferencesTable(comparison.differences, comparison.ranks))}};
}

}  // namespace aotscope
