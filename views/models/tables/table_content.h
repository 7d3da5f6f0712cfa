#pragma once

#include "record/compile_record.h"
#include "record/results/results.h"
#include "record/table.h"

#include <QString>
#include <QVariant>
#include <optional>
#include <string_view>
#include <vector>

namespace aotscope {

/// A Table as Qt shows it: the content of the panels below the canvas.
struct TableContent {
    struct Column {
        QString title, help;
        bool numeric = false;
        std::optional<TableUnit> sum = {};  ///< the unit of sums over several rows; nothing: they mean nothing
    };
    using Mark = Table::Mark;
    struct Cell {
        QString text;
        QVariant sortKey = {};  ///< numbers sort as numbers; invalid: by text
        Mark mark = Mark::none;
        std::optional<FateMark> fate = {};
    };
    struct Row {
        std::vector<Cell> cells;
        NodeId node = kNoNode;
        GraphKind graph = GraphKind::joint;  ///< the graph of `node`
        unsigned filters = 0;                ///< bit i: visible when `filters[i]` is chosen
    };
    /// A button that shows only some of the rows.
    struct Filter {
        QString title, help;
    };
    std::vector<Column> columns;
    std::vector<Row> rows;
    std::vector<Filter> filters;
    QString summary;  ///< a line above the table
    QString whenEmpty;
};

/// The columns with a title; a missing number is "-", and sorts before others.
TableContent contentOf(const Table& table);
/// The columns of these keys, in this order.
TableContent contentOf(const Table& table, const std::vector<std::string_view>& keys);

TableContent inputsTable(const CompileRecord& record);
TableContent outputsTable(const CompileRecord& record);
TableContent runtimeTable(const CompileRecord& record);
/// The conditions on the inputs under which the compiled function is valid. `check` may be null: not checked yet.
TableContent guardsTable(const CompileRecord& record, const CheckResult* check);
/// The times of the graphs and the peak memory, beside those of eager, in a line.
QString timesInShort(const TimingResult& timing);
/// `timing` may be null: not timed yet.
TableContent timingTable(const TimingResult* timing, const CompileRecord& record);

}  // namespace aotscope
