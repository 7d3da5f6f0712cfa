#include "io/tables/table_text.h"

#include "io/tables/csv.h"
#include "io/text_report.h"
#include "support/error.h"
#include "support/formatted.h"
#include "support/joined.h"
#include "support/json/json_text.h"
#include "support/names.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace aotscope {

namespace {

using nlohmann::json;

std::string wholeText(std::int64_t value) { return std::to_string(value); }

bool isEmpty(const Table::Cell& cell) { return std::holds_alternative<std::monostate>(cell.value); }

struct CellText {
    TableUnit unit;

    std::string operator()(std::monostate) const { return {}; }
    std::string operator()(bool value) const { return value ? "yes" : "no"; }
    std::string operator()(std::int64_t value) const {
        return unit == TableUnit::bytes ? formatBytes(value) : grouped(static_cast<std::size_t>(value));
    }
    std::string operator()(double value) const {
        switch (unit) {
            case TableUnit::milliseconds: return formatDuration(value);
            case TableUnit::microseconds: return formatDuration(value / 1000);
            default: return formatted("%.3g", value);
        }
    }
    std::string operator()(const std::string& value) const { return value; }
    std::string operator()(const std::vector<std::string>& value) const { return joined(value, " "); }
    std::string operator()(const std::vector<std::int64_t>& value) const { return joined(value, " ", wholeText); }
};

json jsonOf(const TableValue& value) {
    return std::visit(
        [](const auto& held) {
            if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::monostate>) return json();
            else return json(held);
        },
        value);
}

std::string csvOf(const TableValue& value) {
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    if (const auto* names = std::get_if<std::vector<std::string>>(&value)) return joined(*names, " ");
    if (const auto* sizes = std::get_if<std::vector<std::int64_t>>(&value)) return joined(*sizes, " ", wholeText);
    if (const auto* number = std::get_if<double>(&value); number && !std::isfinite(*number))
        return formatted("%g", *number);
    return std::holds_alternative<std::monostate>(value) ? std::string() : jsonLine(jsonOf(value));
}

/// "estimated_ms.forward" is a nested member, whose own name may contain dots.
json& memberOf(json& object, const std::string& key) {
    const auto dot = key.find('.');
    return dot == std::string::npos ? object[key] : object[key.substr(0, dot)][key.substr(dot + 1)];
}

std::string_view unitText(TableUnit unit) {
    switch (unit) {
        case TableUnit::bytes: return "bytes";
        case TableUnit::milliseconds: return "ms";
        case TableUnit::microseconds: return "µs";
        default: return "";
    }
}

/// Cells are assigned to columns by position.
void requireFull(const Table& table) {
    for (const Table::Row& row : table.rows)
        check(row.cells.size() == table.columns.size(), "rows of tables have a cell for each column");
}

}  // namespace

std::string cellText(const Table::Column& column, const Table::Cell& cell) {
    return cell.text.empty() ? std::visit(CellText{column.unit}, cell.value) : cell.text;
}

Table withColumns(const Table& table, const std::vector<std::string_view>& keys) {
    requireFull(table);
    Table chosen = table;
    chosen.columns.clear();
    for (Table::Row& row : chosen.rows) row.cells.clear();
    for (const std::string_view key : keys) {
        const auto column = std::ranges::find(table.columns, key, &Table::Column::key);
        check(column != table.columns.end(), "tables have the columns that are chosen");
        chosen.columns.push_back(*column);
        const auto place = static_cast<std::size_t>(column - table.columns.begin());
        for (std::size_t i = 0; i < table.rows.size(); ++i) chosen.rows[i].cells.push_back(table.rows[i].cells[place]);
    }
    return chosen;
}

std::string tableText(const Table& table) {
    requireFull(table);
    std::vector<std::size_t> shown;
    for (std::size_t c = 0; c < table.columns.size(); ++c)
        if (!table.columns[c].title.empty() &&
            (table.rows.empty() ||
             std::ranges::any_of(table.rows, [&](const Table::Row& row) { return !isEmpty(row.cells[c]); })))
            shown.push_back(c);
    std::vector<std::vector<std::string>> lines(1);
    for (const std::size_t c : shown) lines.front().push_back(table.columns[c].title);
    for (const Table::Row& row : table.rows) {
        std::vector<std::string>& line = lines.emplace_back();
        for (const std::size_t c : shown) {
            const std::string text = cellText(table.columns[c], row.cells[c]);
            line.push_back(isEmpty(row.cells[c]) && text.empty() ? "-" : text);
        }
    }
    return textTable(lines) + table.summary;
}

std::string tableCsv(const Table& table) {
    requireFull(table);
    std::vector<std::string> line;
    for (const Table::Column& column : table.columns) {
        line.push_back(column.key);
        std::ranges::replace(line.back(), '.', '_');
    }
    std::string text = csvLine(line);
    for (const Table::Row& row : table.rows) {
        line.clear();
        for (const Table::Cell& cell : row.cells) line.push_back(csvOf(cell.value));
        text += csvLine(line);
    }
    return text;
}

json tableJson(const Table& table) {
    requireFull(table);
    json list = json::array();
    for (const Table::Row& row : table.rows) {
        json object = json::object();
        for (std::size_t c = 0; c < row.cells.size(); ++c)
            if (!isEmpty(row.cells[c])) memberOf(object, table.columns[c].key) = jsonOf(row.cells[c].value);
        list.push_back(std::move(object));
    }
    return list;
}

std::string tableManual(const Table& table) {
    std::string text = "| key | unit | meaning |\n|---|---|---|\n";
    for (const Table::Column& column : table.columns)
        text += "| `" + column.key + "` | " + std::string(unitText(column.unit)) + " | " + column.help + " |\n";
    return text;
}

}  // namespace aotscope
