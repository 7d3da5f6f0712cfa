// Contents of tables, for tests.
#pragma once

#include "models/tables/table_content.h"
#include "support/literals.h"

namespace aotscope::test {

inline QString cell(const TableContent& table, std::size_t row, const char* column) {
    for (std::size_t c = 0; c < table.columns.size(); ++c)
        if (table.columns[c].title == QString::fromUtf8(column)) return table.rows.at(row).cells.at(c).text;
    return u"no column "_s + QString::fromUtf8(column);
}

inline QStringList column(const TableContent& table, const char* title) {
    QStringList texts;
    for (std::size_t row = 0; row < table.rows.size(); ++row) texts << cell(table, row, title);
    return texts;
}

/// Every row has a cell for every column; numeric columns have keys that are numbers; nodes exist in their graph.
inline QString problemOf(const TableContent& table, const CompileRecord& record) {
    for (const auto& row : table.rows) {
        if (row.cells.size() != table.columns.size()) return u"a row with another number of cells"_s;
        for (std::size_t c = 0; c < row.cells.size(); ++c)
            if (table.columns[c].numeric && !row.cells[c].sortKey.canConvert<double>())
                return table.columns[c].title + u": no number to sort by"_s;
        if (row.node == kNoNode) continue;
        const auto graph = record.graph(row.graph);
        if (!graph || !graph->findById(row.node)) return u"node %1 is in no graph"_s.arg(row.node);
    }
    return {};
}

}  // namespace aotscope::test
