#include "io/tables/table_text.h"

#include "io/tables/csv.h"
#include "io/tables/duration_column.h"
#include "io/tables/text_table.h"
#include "support/error.h"
#include "support/formatted.h"
#include "support/joined.h"
#include "support/json/json_text.h"
#include "support/names.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <sstream>

namespace aotscope {

namespace {

using nlohmann::json;

std::string wholeText(std::int64_t value) { return std::to_string(value); }

bool isEmpty(const Table::Cell& cell) { return std::holds_alternative<std::monostate>(cell.value); }

std::string_view separatorOf(TableUnit unit) { return unit == TableUnit::lines ? "\n" : " "; }

struct CellText {
    TableUnit unit;

    std::string operator()(std::monostate) const { return {}; }
    std::string operator()(bool value) const { return value ? "yes" : unit == TableUnit::flag ? "" : "no"; }
    std::string operator()(std::int64_t value) const {
        return unit == TableUnit::bytes ? formatBytes(value) : grouped(static_cast<std::size_t>(value));
    }
    std::string operator()(double value) const {
        switch (unit) {
            case TableUnit::milliseconds: return formatDuration(value);
            case TableUnit::microseconds: return formatDuration(value / 1000);
            case TableUnit::share: return formatted("%.1f %%", 100 * value);
            default: return formatted("%.3g", value);
        }
    }
    std::string operator()(const std::string& value) const { return value; }
    std::string operator()(const std::vector<std::string>& value) const { return joined(value, separatorOf(unit)); }
    std::string operator()(const std::vector<std::int64_t>& value) const { return joined(value, " ", wholeText); }
};

json jsonOf(const TableValue& value) {
    return std::visit(
        [](const auto& held) {
            if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::monostate>) return json();
            else return json(held);
        },
        value.held());
}

std::string csvOf(const TableValue& value, TableUnit unit) {
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    if (const auto* names = std::get_if<std::vector<std::string>>(&value)) return joined(*names, separatorOf(unit));
    if (const auto* sizes = std::get_if<std::vector<std::int64_t>>(&value)) return joined(*sizes, " ", wholeText);
    if (const auto* number = std::get_if<double>(&value); number && !std::isfinite(*number))
        return formatted("%g", *number);
    return std::holds_alternative<std::monostate>(value) ? std::string() : jsonLine(jsonOf(value));
}

/// "estimated_ms.forward" is a nested member, whose own name may contain dots.
json& nestedMember(json& object, const std::string& key) {
    const auto dot = key.find('.');
    return dot == std::string::npos ? object[key] : object[key.substr(0, dot)][key.substr(dot + 1)];
}

std::string_view unitText(TableUnit unit) {
    switch (unit) {
        case TableUnit::bytes: return "bytes";
        case TableUnit::milliseconds:
        case TableUnit::alikeMilliseconds: return "ms";
        case TableUnit::microseconds: return "µs";
        default: return "";
    }
}

using TextRow = std::vector<std::string>;

/// Adds a cell to a row, with the further lines of its text below.
void addLines(const std::string& text, std::vector<TextRow>& row) {
    const std::size_t place = row[0].size();
    row[0].emplace_back();
    std::istringstream lines(text);
    std::string line;
    for (std::size_t i = 0; std::getline(lines, line); ++i) {
        if (i == row.size()) row.emplace_back();
        row[i].resize(place + 1);
        row[i][place] = line;
    }
}

/// Cells are assigned to columns by position.
void requireFull(const Table& table) {
    for (const Table::Row& row : table.rows)
        check(row.cells.size() == table.columns.size(), "rows of tables have a cell for each column");
}

}  // namespace

std::string cellText(const Table::Column& column, const Table::Cell& cell) {
    return cell.text.empty() ? std::visit(CellText{column.unit}, cell.value.held()) : cell.text;
}

std::vector<std::string> columnTexts(const Table& table, std::size_t column) {
    const Table::Column& of = table.columns[column];
    std::vector<std::string> texts;
    std::vector<double> alike;
    for (const Table::Row& row : table.rows) {
        const double* time = std::get_if<double>(&row.cells[column].value);
        if (of.unit == TableUnit::alikeMilliseconds && time) alike.push_back(*time);
        texts.push_back(cellText(of, row.cells[column]));
    }
    auto text = durationColumn(alike);
    for (std::size_t row = 0, i = 0; i < text.size(); ++row)
        if (std::holds_alternative<double>(table.rows[row].cells[column].value)) texts[row] = std::move(text[i++]);
    return texts;
}

std::size_t keepFirst(std::size_t most, Table& table) {
    const std::size_t all = table.rows.size();
    table.rows.resize(std::min(all, most));
    return all - table.rows.size();
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
    TextRow heading;
    std::vector<std::vector<TextRow>> rows(table.rows.size(), std::vector<TextRow>(1));
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        const auto holds = [c](const Table::Row& row) { return !isEmpty(row.cells[c]); };
        if (table.columns[c].title.empty() || (!table.rows.empty() && std::ranges::none_of(table.rows, holds)))
            continue;
        heading.push_back(table.columns[c].title);
        const auto texts = columnTexts(table, c);
        for (std::size_t r = 0; r < texts.size(); ++r)
            if (table.columns[c].unit == TableUnit::lines) addLines(texts[r], rows[r]);
            else rows[r][0].push_back(texts[r].empty() && !holds(table.rows[r]) ? "-" : texts[r]);
    }
    std::vector<TextRow> lines{std::move(heading)};
    for (std::vector<TextRow>& row : rows) std::ranges::move(row, std::back_inserter(lines));
    return textTable(lines) + table.summary;
}

std::string tableCsv(const Table& table) {
    requireFull(table);
    std::vector<std::vector<std::string>> lines(table.rows.size() + 1);
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        std::string key = table.columns[c].key;
        if (table.columns[c].forPeople) continue;
        std::ranges::replace(key, '.', '_');
        lines[0].push_back(std::move(key));
        for (std::size_t r = 0; r < table.rows.size(); ++r)
            lines[r + 1].push_back(csvOf(table.rows[r].cells[c].value, table.columns[c].unit));
    }
    return joined(lines, "", csvLine);
}

json tableJson(const Table& table) {
    requireFull(table);
    json list = json::array();
    for (const Table::Row& row : table.rows) {
        json object = json::object();
        for (std::size_t c = 0; c < row.cells.size(); ++c)
            if (!isEmpty(row.cells[c]) && !table.columns[c].forPeople)
                nestedMember(object, table.columns[c].key) = jsonOf(row.cells[c].value);
        list.push_back(std::move(object));
    }
    return list;
}

json tableJson(const Table& table, std::initializer_list<const char*> nullable) {
    json list = tableJson(table);
    for (json& row : list)
        for (const char* key : nullable) row[key];  // null if it is new
    return list;
}

std::string tableManual(const Table& table) {
    std::string text = "| key | unit | meaning |\n|---|---|---|\n";
    for (const Table::Column& column : table.columns) {
        if (column.forPeople) continue;
        text += "| `" + column.key + "` | " + std::string(unitText(column.unit)) + " | " + column.help + " |\n";
    }
    return text;
}

}  // namespace aotscope
