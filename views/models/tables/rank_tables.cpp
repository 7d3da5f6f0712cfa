#include "models/tables/rank_tables.h"

#include "io/ranks/ranks_text.h"
#include "models/tables/table_cells.h"

#include <QRegularExpression>

#include <algorithm>

namespace aotscope {

namespace {

struct NodePlace {
    NodeId node = kNoNode;
    GraphKind graph = GraphKind::joint;
};

/// The graphs that a comparison calls by this name; of anything else, all that may have the node.
std::vector<GraphKind> graphsCalled(const std::string& name) {
    std::string own = name;
    if (own.starts_with("aot_")) own.erase(0, 4);
    if (own.ends_with("_graph")) own.resize(own.size() - 6);
    if (own == "dynamo_output") return {GraphKind::source};
    if (const auto kind = graphKindFromName(own)) return {*kind};
    return {GraphKind::forward, GraphKind::backward, GraphKind::inference, GraphKind::joint, GraphKind::source};
}

/// "mm_1" of "forward %mm_1, all-reduce (sum) of f32[4, 8]"; a text of one word is the name.
std::string nodeNamedIn(const std::string& text) {
    static const QRegularExpression name(QStringLiteral("%([A-Za-z_][A-Za-z_0-9.]*)|^([A-Za-z_][A-Za-z_0-9.]*)$"));
    const auto match = name.match(toQString(text));
    return QString(match.captured(1) + match.captured(2)).toStdString();
}

NodePlace placeOf(const RankDifference& difference, std::size_t own, const CompileRecord& open) {
    std::vector<std::string> texts;
    if (own < difference.each.size()) texts.push_back(difference.each[own]);
    texts.push_back(difference.node);
    for (const std::string& text : texts) {
        const std::string name = nodeNamedIn(text);
        const auto first = text.substr(0, text.find(' '));
        for (const GraphKind kind : graphsCalled(difference.graph.empty() ? first : difference.graph)) {
            const auto graph = open.graph(kind);
            const Node* node = graph && !name.empty() ? graph->findByName(name) : nullptr;
            if (node) return {node->id(), kind};
        }
    }
    return {};
}

QString comparisonSummary(const RankComparison& comparison, bool others) {
    const auto ranks = static_cast<qsizetype>(comparison.ranks.size());
    QString text = comparison.differences.empty() ? QObject::tr("All %1 ranks are alike.").arg(ranks)
                                                  : QObject::tr("%1 ranks differ.").arg(ranks);
    if (others) text += QObject::tr(" Enter opens another compilation.");
    const QString leftOut = toQString(comparison.leftOut);
    return leftOut.isEmpty() ? text : text + u' ' + leftOut.at(0).toUpper() + leftOut.mid(1) + u'.';
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
        const NodePlace place = difference && (id.empty() || id == compile)
                                    ? placeOf(comparison.differences[*difference], own, open)
                                    : NodePlace();
        row.node = place.node;
        row.graph = place.graph;
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

TableContent rankPlaceTable(const RankDifference& difference, const std::vector<std::string>& ranks) {
    TableContent table;
    table.columns = {{tr("Ranks"), tr("those that have the same there"), false},
                     {tr("What They Have"), tr("in the place that the chosen row is about"), false}};
    std::vector<std::string> told;
    for (std::size_t i = 0; i < std::min(ranks.size(), difference.each.size()); ++i) {
        const std::string& what = difference.each[i];
        const auto known = std::ranges::find(told, what);
        const auto row = static_cast<std::size_t>(known - told.begin());
        if (known != told.end()) {
            table.rows[row].cells[0].text += QStringLiteral(", ") + toQString(ranks[i]);
            continue;
        }
        told.push_back(what);
        table.rows.push_back({{textCell(ranks[i]), what.empty() ? textCell(tr("nothing")) : textCell(what)}});
    }
    table.summary = toQString(headline(difference));
    return table;
}

}  // namespace aotscope
