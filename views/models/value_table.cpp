#include "models/value_table.h"

#include "models/table_cells.h"

#include <algorithm>

namespace aotscope {

namespace {

TableContent::Cell valueCell(bool known, double value) {
    return known ? TableContent::Cell{toQString(numberText(value)), value}
                 : TableContent::Cell{QStringLiteral("-"), {}};
}

TableContent::Cell countCell(std::int64_t value) { return {QString::number(value), static_cast<qint64>(value)}; }

}  // namespace

TableContent watchTable(const std::vector<ShownValue>& values) {
    TableContent table;
    table.columns = {{tr("Value"), tr("the node whose value it is"), false},
                     {tr("Graph"), tr("the graph whose run computed it"), false},
                     {tr("Type"), tr("dtype and sizes"), false},
                     {tr("Min"), tr("of the finite elements"), true},
                     {tr("Max"), tr("of the finite elements"), true},
                     {tr("Mean"), tr("of the finite elements"), true},
                     {tr("Std"), tr("standard deviation of the finite elements"), true},
                     {tr("NaN"), tr("number of NaN elements"), true},
                     {tr("Inf"), tr("number of infinite elements"), true}};
    table.whenEmpty = tr("Select or watch a node to see its value.");
    for (const ShownValue& value : values) {
        TableContent::Row row{{{value.name, {}}, {toQString(name(value.graph)), {}}}, value.node, value.graph};
        if (const auto& facts = value.facts) {
            const bool known = facts->finite();
            row.cells.push_back({toQString(facts->type), {}});
            for (const double x : {facts->min, facts->max, facts->mean, facts->deviation})
                row.cells.push_back(valueCell(known, x));
            row.cells.push_back(countCell(facts->nans));
            row.cells.push_back(countCell(facts->infs));
        } else {
            row.cells.push_back({tr("not computed yet"), {}});
            for (int i = 0; i < 6; ++i) row.cells.push_back({QStringLiteral("-"), {}});
        }
        table.rows.push_back(std::move(row));
    }
    return table;
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
