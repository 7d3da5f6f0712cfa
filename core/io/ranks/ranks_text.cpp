#include "io/ranks/ranks_text.h"

#include "io/tables/rank_tables.h"
#include "io/tables/table_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <iterator>

namespace aotscope {

namespace {

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
