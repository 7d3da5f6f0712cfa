#include "io/tables/rank_tables.h"

#include "io/trace/trace_cells.h"
#include "support/joined.h"

#include <algorithm>
#include <ranges>

namespace aotscope {

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
