#include "io/tables/rank_tables.h"

#include "io/tables/text_table.h"
#include "support/enumerators.h"
#include "support/joined.h"
#include "support/json/message_members.h"
#include "support/names.h"
#include "support/printable.h"
#include "support/quoted.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <ranges>

namespace aotscope {

namespace {

constexpr std::size_t kMostDetails = 5;

/// What differs on each rank, and how many ranks are equal to eager.
std::string checkSummary(const std::vector<RankRow>& ranks) {
    std::string text;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        const std::vector<std::string>& details = ranks[rank].details;
        const std::string start = "rank " + std::to_string(rank) + ": ";
        for (const std::string& detail : details | std::views::take(kMostDetails))
            text += start + printable(detail) + "\n";
        if (details.size() > kMostDetails)
            text += start + "... and " + counted(details.size() - kMostDetails, "more difference") + "\n";
    }
    const auto apart = ranks.size() - static_cast<std::size_t>(std::ranges::count_if(ranks, &RankRow::ok));
    const std::string all = counted(ranks.size(), "rank");
    return text + (apart == 0 ? "all " + all + " equal eager\n"
                              : std::to_string(apart) + " of " + all + " differ from eager\n");
}

}  // namespace

RankRow rankRow(const CheckResult& check, const TimingResult* timing) {
    RankRow row{check.verdict(), check.outputsMaxError, check.gradsMaxError, check.eagerMs, check.compiledMs, {}, {},
                check.details};
    if (!timing) return row;
    row.eagerMs = timing->eagerStepMs.median;
    row.compiledMs = timing->compiledStepMs.median;
    row.ratio = timing->stepRatio.median;
    row.peakBytes = timing->compiledPeakBytes;
    return row;
}

Table rankCheckTable(const std::vector<RankRow>& ranks) {
    constexpr TableUnit ms = TableUnit::milliseconds;
    Table table{"checks",
                {{"rank", "rank", "its number"},
                 {"verdict", "check", "equal, differs or not compared"},
                 {"outputs_max_error", "outputs differ by", "at most, relative to the largest element of the tensor"},
                 {"gradients_max_error", "gradients differ by", "at most, relative to the largest element"},
                 {"eager_ms", "eager", "of one step; with `--time`, the median", ms},
                 {"compiled_ms", "compiled", "of one step; with `--time`, the median", ms},
                 {"ratio", "ratio", "with `--time`: of the times, the median of the steps"},
                 {"peak_bytes", "peak memory", "with `--time`: of the compiled step", TableUnit::bytes},
                 {"differences", "", "a sentence for each", TableUnit::lines}}};
    for (const RankRow& rank : ranks) {
        const std::string verdict(name(rank.verdict));
        table.add(table.rows.size(),
                  Table::Cell(verdict, rank.verdict == CheckVerdict::differs ? "DIFFERENT" : verdict),
                  rank.outputsMaxError, rank.gradsMaxError, rank.eagerMs, rank.compiledMs, Table::given(rank.ratio),
                  Table::given(rank.peakBytes), rank.details);
    }
    table.summary = checkSummary(ranks);
    return table;
}

RankRow rankRowFrom(const nlohmann::json& document) {
    const std::string verdict = textOf(document, "verdict");
    const auto known = enumeratorSpelled<CheckVerdict>(verdict);
    if (!known) throw Error("sends 'verdict': expected equal, differs or not compared, found " + inQuotes(verdict));
    RankRow row{*known,
                realOf(document, "outputs_max_error"),
                realOf(document, "gradients_max_error"),
                realOf(document, "eager_ms"),
                realOf(document, "compiled_ms"),
                {},
                {},
                textsOf(document, "differences")};
    if (document.contains("ratio")) row.ratio = realOf(document, "ratio");
    if (document.contains("peak_bytes")) row.peakBytes = integerOf(document, "peak_bytes");
    return row;
}

Table rankDifferencesTable(const std::vector<RankDifference>& differences, const std::vector<std::string>& ranks) {
    Table table{"differences",
                {{"kind", "kind", "missing, graph, saved, collectives, sizes or values"},
                 {"compile", "compilation", "its id in logs"},
                 {"graph", "graph", "the graph that differs, if any"},
                 {"among", "among", "what differs, if it is not a graph"},
                 {"node", "node", "the first node that differs; for collectives and messages, its number"}}};
    for (const std::string& rank : ranks) table.columns.push_back({"each." + rank, rank, "what this rank has there"});
    for (const RankDifference& difference : differences) {
        Table::Row row{
            {nameOf(difference.kind), difference.compile, graphName(difference), difference.among, difference.node}};
        for (const RankDifference::Place& place : difference.each) row.cells.push_back({place.text});
        row.cells.resize(table.columns.size());
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table rankPlaceTable(const RankDifference& difference, const std::vector<std::string>& ranks) {
    constexpr std::size_t mostNames = 8, longest = 300;
    Table table{"places",
                {{"ranks", "Ranks", "those that have the same there"},
                 {"what", "What They Have", "in the place that the chosen row is about"}}};
    for (std::size_t i = 0; i < std::min(ranks.size(), difference.each.size()); ++i) {
        const TableValue what = difference.each[i].text;
        auto row =
            std::ranges::find_if(table.rows, [&](const Table::Row& each) { return each.cells[1].value == what; });
        if (row == table.rows.end())
            row = table.rows.insert(row, {{std::vector<std::string>(),
                                           Table::Cell(what, difference.each[i].text.empty()
                                                                 ? "nothing"
                                                                 : textCell(difference.each[i].text, longest))}});
        std::get<std::vector<std::string>>(row->cells[0].value).push_back(ranks[i]);
    }
    for (Table::Row& row : table.rows) {
        const auto& names = std::get<std::vector<std::string>>(row.cells[0].value);
        row.cells[0].text = joined(names | std::views::take(mostNames), ", ");
        if (names.size() > mostNames) row.cells[0].text += " and " + std::to_string(names.size() - mostNames) + " more";
    }
    return table;
}

}  // namespace aotscope
