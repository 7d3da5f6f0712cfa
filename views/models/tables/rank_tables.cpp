#include "models/tables/rank_tables.h"

#include "io/ranks/ranks_text.h"
#include "models/tables/table_cells.h"

#include <algorithm>

namespace aotscope {

namespace {

QString comparisonSummary(const RankComparison& comparison, bool others) {
    const auto ranks = static_cast<qsizetype>(comparison.ranks.size());
    QString text = comparison.differences.empty() ? QObject::tr("All %1 ranks are alike.").arg(ranks)
                                                  : QObject::tr("%1 ranks differ.").arg(ranks);
    if (others) text += QObject::tr(" Enter opens another compilation.");
    const QString leftOut = toQString(comparison.leftOut);
    return leftOut.isEmpty() ? text : text + u' ' + capitalized(leftOut) + u'.';
}

}  // namespace

RankComparisonTable rankComparisonTable(const RankComparison& comparison, const CompileRecord& open, std::size_t own,
                                        const std::string& compile) {
    using Mark = TableContent::Mark;
    RankComparisonTable table;
    const bool logs = std::ranges::any_of(comparison.differences, [](const auto& d) { return !d.compile.empty(); });
    table.content.columns = {{tr("Compared"), tr("what has to be the same on all ranks"), false},
                             {tr("Result"), tr("equal, or where they differ first"), false}};
    if (logs) table.content.columns.push_back({tr("Compilation"), tr("its id in the logs"), false});
    const auto add = [&](std::string_view aspect, const QString& result, Mark mark, const std::string& id,
                         std::optional<std::size_t> difference) {
        TableContent::Row row{{textCell(aspect), {result, {}, mark}}};
        if (logs) row.cells.push_back(textCell(id));
        if (difference && (id.empty() || id == compile)) {
            const auto& each = comparison.differences[*difference].each;
            const RankDifference::Place place = own < each.size() ? each[own] : RankDifference::Place();
            const auto graph = open.graph(place.graph);
            if (graph && graph->findById(place.node)) row.node = place.node, row.graph = place.graph;
        }
        table.content.rows.push_back(std::move(row));
        table.differences.push_back(difference);
    };
    const bool sameGraphs = std::ranges::none_of(comparison.differences,
                                                 [](const auto& d) { return d.kind == RankDifference::Kind::graph; });
    bool others = false;
    for (const auto& [kind, aspect] : comparedAspects()) {
        bool equal = kind != RankDifference::Kind::missing;  // models are one compilation each
        for (std::size_t i = 0; i < comparison.differences.size(); ++i) {
            const RankDifference& difference = comparison.differences[i];
            if (difference.kind != kind) continue;
            equal = false;
            others = others || (!difference.compile.empty() && difference.compile != compile);
            add(aspect, toQString(headline(difference)), Mark::bad, difference.compile, i);
        }
        const bool partly =
            !sameGraphs && (kind == RankDifference::Kind::sizes || kind == RankDifference::Kind::values);
        if (equal)
            add(aspect, partly ? tr("equal before the graphs differ") : tr("equal"), Mark::good, {}, std::nullopt);
    }
    table.content.summary = comparisonSummary(comparison, others);
    return table;
}

}  // namespace aotscope
