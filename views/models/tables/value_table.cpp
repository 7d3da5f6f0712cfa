#include "models/tables/value_table.h"

#include "debug/stepped_ranks_text.h"
#include "models/tables/table_cells.h"

#include <algorithm>

namespace aotscope {

namespace {

/// Adds a cell for each column of addStatistics().
void addFacts(const std::optional<ValueFacts>& facts, Table::Row& row) {
    for (const auto member : {&ValueFacts::min, &ValueFacts::max, &ValueFacts::mean, &ValueFacts::deviation})
        row.cells.push_back(facts && facts->finite() ? Table::Cell((*facts).*member, numberText((*facts).*member))
                                                     : Table::Cell({}, "-"));
    for (const auto member : {&ValueFacts::nans, &ValueFacts::infs})
        row.cells.push_back(facts ? Table::Cell((*facts).*member) : Table::Cell({}, "-"));
}

using PerRank = std::vector<RankValue>;

/// For each place, the first one with an equal value; itself if none has, or without a value.
std::vector<std::size_t> firstEqual(const PerRank& ranks) {
    std::vector<std::size_t> first(ranks.size());
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        first[i] = i;
        const auto& own = ranks[i].facts;
        for (std::size_t k = 0; own && k < i; ++k)
            if (first[k] == k && ranks[k].facts && sameValue(*ranks[k].facts, *own)) {
                first[i] = k;
                break;
            }
    }
    return first;
}

const ValueFacts* firstKnownOf(const PerRank& ranks) {
    std::vector<const ValueFacts*> values;
    for (const RankValue& rank : ranks) values.push_back(rank.facts ? &*rank.facts : nullptr);
    return firstKnown(values);
}

/// "0, 1, 3": the first of them.
QString rankNumbers(const std::vector<std::size_t>& ranks) {
    constexpr std::size_t most = 8;
    QStringList numbers;
    for (const std::size_t rank : ranks)
        if (numbers.size() < static_cast<qsizetype>(most)) numbers << QString::number(rank);
    if (ranks.size() > most) numbers << QStringLiteral("…");
    return numbers.join(QStringLiteral(", "));
}

void addStatistics(std::vector<Table::Column>& columns) {
    const std::string finite = "of the finite elements";
    columns.insert(columns.end(), {{"min", "min", finite},
                                   {"max", "max", finite},
                                   {"mean", "mean", finite},
                                   {"std", "std", "standard deviation of the finite elements"},
                                   {"nans", "NaN", "number of NaN elements"},
                                   {"infs", "Inf", "number of infinite elements"}});
}

const Table::Column kValueColumn = {"value", "value", "the node whose value it is"},
                    kGraphColumn = {"graph", "graph", "the graph whose run computed it"},
                    kTypeColumn = {"type", "type", "dtype and sizes"};

/// What tells ranks apart comes first: there is little room beside the graph.
Table rankTable(const std::vector<ShownValue>& values) {
    Table table{"values",
                {kValueColumn,
                 {"rank", "rank", "ranks of the same colour have the same value"},
                 {"differs", "differs", "the first element that is not as on the first rank"}}};
    addStatistics(table.columns);
    table.columns.insert(table.columns.end(), {kTypeColumn, kGraphColumn});
    for (const ShownValue& value : values) {
        const ValueFacts* first = firstKnownOf(value.ranks);
        for (const auto& [rank, facts] : value.ranks) {
            const bool compared = facts && &*facts != first;
            Table::Row& row =
                table.add(value.name.toStdString(), rank, compared ? valueDifference(*first, *facts) : "");
            addFacts(facts, row);
            row.cells.insert(row.cells.end(), {facts ? facts->type : "not computed yet", name(value.graph)});
            row.node = value.node;
            row.graph = value.graph;
        }
    }
    return table;
}

}  // namespace

TableContent watchTable(const std::vector<ShownValue>& values) {
    if (!values.empty() && !values.front().ranks.empty()) return contentOf(rankTable(values));
    Table table{"values", {kValueColumn, kGraphColumn, kTypeColumn}};
    addStatistics(table.columns);
    table.whenEmpty = "Select or watch a node to see its value.";
    for (const ShownValue& value : values) {
        const std::string missing = value.missing.isEmpty() ? "not computed yet" : value.missing.toStdString();
        Table::Row& row =
            table.add(value.name.toStdString(), name(value.graph), value.facts ? value.facts->type : missing);
        addFacts(value.facts, row);
        row.node = value.node;
        row.graph = value.graph;
    }
    return contentOf(table);
}

std::vector<RankRowMark> rankRowMarks(const std::vector<ShownValue>& values) {
    std::vector<RankRowMark> marks;
    for (const ShownValue& value : values) {
        const std::vector<std::size_t> first = firstEqual(value.ranks);
        std::vector<int> groups(first.size(), -1);
        int next = 0;
        for (std::size_t i = 0; i < first.size(); ++i) {
            if (value.ranks[i].facts) groups[i] = first[i] == i ? next++ : groups[first[i]];
            marks.push_back({value.ranks[i].rank, groups[i]});
        }
        if (first.empty()) marks.emplace_back();
    }
    return marks;
}

Meaning meaningOfGroup(int group) {
    constexpr int known = 8;
    return group < known ? after(Meaning::word1, static_cast<std::size_t>(group)) : Meaning::noValue;
}

std::vector<RankGroupText> rankGroups(const ShownValue& value) {
    const std::vector<std::size_t> first = firstEqual(value.ranks);
    std::vector<RankGroupText> texts;
    for (std::size_t i = 0; i < first.size(); ++i) {
        if (first[i] != i || !value.ranks[i].facts) continue;
        std::vector<std::size_t> same;
        for (std::size_t k = i; k < first.size(); ++k)
            if (first[k] == i) same.push_back(value.ranks[k].rank);
        const ValueFacts* known = firstKnownOf(value.ranks);
        QString text = same.size() == first.size() && same.size() > 1 ? tr("equal on all %1 ranks").arg(same.size())
                       : same.size() > 1                              ? tr("ranks %1").arg(rankNumbers(same))
                                                                      : tr("rank %1").arg(same.front());
        if (!texts.empty()) text += QStringLiteral(": ") + toQString(valueDifference(*known, *value.ranks[i].facts));
        texts.push_back({static_cast<int>(texts.size()), std::move(text)});
    }
    return texts;
}

QString firstElements(const ValueFacts& facts) {
    const qsizetype perLine = facts.sizes.empty() ? 1 : std::clamp<qsizetype>(facts.sizes.back(), 1, 8);
    QString text;
    for (qsizetype i = 0; i < static_cast<qsizetype>(facts.first.size()); ++i) {
        if (i > 0) text += i % perLine == 0 ? QStringLiteral("\n") : QStringLiteral("  ");
        text += toQString(numberText(facts.first[static_cast<std::size_t>(i)]));
    }
    if (static_cast<std::int64_t>(facts.first.size()) < facts.elements) text += QStringLiteral("  …");
    return text;
}

}  // namespace aotscope
