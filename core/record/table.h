#pragma once

#include "record/compile_record.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace aotscope {

/// What a number of a column counts; how people read it follows from that.
enum class TableUnit : std::uint8_t { none, bytes, milliseconds, microseconds };

/// What a cell holds; nothing: its row has no such value.
using TableValue = std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<std::string>,
                                std::vector<std::int64_t>>;

/// What becomes of the value of a cell or row, as the colours of the canvas say it.
enum class FateMark : std::uint8_t { saved, recomputed, kept, neither };

/// A table as a value. The command line prints it, as text, CSV or JSON, reports have it, and the window shows it: see
/// io/tables/table_text.h.
struct Table {
    struct Column {
        std::string key;    ///< in JSON and CSV; "estimated_ms.forward" is a member of a member
        std::string title;  ///< for people; empty: the column is for programs only
        std::string help;
        TableUnit unit = TableUnit::none;
    };
    enum class Mark : std::uint8_t { none, good, bad };
    struct Cell {
        TableValue value = {};
        std::string text = {};  ///< as people read it, where unit and value do not say that
        Mark mark = Mark::none;
        std::optional<FateMark> fate = {};
    };
    struct Row {
        std::vector<Cell> cells;
        NodeId node = kNoNode;  ///< that the row stands for
        GraphKind graph = GraphKind::joint;
        unsigned filters = 0;  ///< bit i: `filters[i]` shows it
    };
    /// Shows some of the rows only.
    struct Filter {
        std::string title, help;
    };
    std::string key;  ///< of the list of rows in JSON: "points"
    std::vector<Column> columns;
    std::vector<Row> rows = {};
    std::string summary = {};  ///< below the table, with its line breaks
    std::vector<Filter> filters = {};
    std::string whenEmpty = {};  ///< a sentence that stands for a table without rows
};

}  // namespace aotscope
