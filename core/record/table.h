#pragma once

#include "record/compile_record.h"

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace aotscope {

/// The unit of the numbers in a column, which determines how they are displayed. `alikeMilliseconds` have the same unit
/// in all rows: zero milliseconds beside microseconds are hard to read. A share is from 0 to 1. A flag is only
/// displayed if it is true. Of a list of `lines`, each text has its own line.
enum class TableUnit : std::uint8_t { none, bytes, milliseconds, alikeMilliseconds, microseconds, share, flag, lines };

/// The contents of a cell; nothing: its row has no such value.
struct TableValue : std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<std::string>,
                                 std::vector<std::int64_t>> {
    using Held = variant;
    using Held::Held;
    TableValue() = default;
    TableValue(std::size_t count) : Held(static_cast<std::int64_t>(count)) {}
    TableValue(std::string_view text) : Held(std::string(text)) {}

    const Held& held() const { return *this; }
};

/// The placement of a cell's or row's value, shown by the colours of the canvas.
enum class FateMark : std::uint8_t { saved, recomputed, kept, neither };

/// A table as a value. The command line prints it as text, CSV or JSON, reports contain it, and the window shows it:
/// see io/tables/table_text.h.
struct Table {
    struct Column {
        std::string key;    ///< in JSON and CSV; "estimated_ms.forward" is a nested member
        std::string title;  ///< for display; empty: the column is only for programs
        std::string help;
        TableUnit unit = TableUnit::none;
        bool forPeople = false;  ///< not in JSON and CSV: other columns have the value
        bool summed = false;     ///< the numbers of several rows can be added
    };
    enum class Mark : std::uint8_t { none, good, bad };
    struct Cell {
        TableValue value;
        std::string text;  ///< display text, if it does not follow from unit and value
        Mark mark = Mark::none;
        std::optional<FateMark> fate;

        Cell() = default;
        Cell(TableValue held, std::string shown, Mark how = Mark::none, std::optional<FateMark> becomes = {})
            : value(std::move(held)), text(std::move(shown)), mark(how), fate(becomes) {}
        template <typename Value>
        requires std::constructible_from<TableValue, Value> Cell(Value&& held) : value(std::forward<Value>(held)) {}
    };
    /// Without a value if there is none, or the text is empty.
    static Cell given(std::string_view text) { return text.empty() ? Cell() : Cell(text); }
    template <typename Value>
    static Cell given(const std::optional<Value>& value) {
        return value ? Cell(*value) : Cell();
    }
    struct Row {
        std::vector<Cell> cells;
        NodeId node = kNoNode;  ///< that the row is about
        GraphKind graph = GraphKind::joint;
        unsigned filters = 0;  ///< bit i: shown by `filters[i]`
    };
    /// Shows only some of the rows.
    struct Filter {
        std::string title, help;
    };
    std::string key;  ///< of the list of rows in JSON: "points"
    std::vector<Column> columns;
    std::vector<Row> rows = {};
    std::string summary = {};  ///< below the table, with line breaks
    std::vector<Filter> filters = {};
    std::string whenEmpty = {};  ///< a sentence that replaces a table without rows

    template <typename... Cells>
    Row& add(Cells&&... cells) {
        return rows.emplace_back(Row{{Cell(std::forward<Cells>(cells))...}});
    }
};

}  // namespace aotscope
