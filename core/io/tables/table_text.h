#pragma once

#include "record/table.h"

#include <nlohmann/json_fwd.hpp>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// The columns with these keys, in this order.
Table withColumns(const Table& table, const std::vector<std::string_view>& keys);

/// Keeps the first rows; returns the number of removed ones.
std::size_t keepFirst(std::size_t most, Table& table);

/// The cell in readable form: in the unit of its column, unless it has its own text. Empty: no value.
std::string cellText(const Table::Column& column, const Table::Cell& cell);
/// The texts of the cells of a column, in row order.
std::vector<std::string> columnTexts(const Table& table, std::size_t column);

/// Aligned columns: those with a title and a value in any row, or all with a title if there are no rows. A cell without
/// a value is "-". The summary follows.
std::string tableText(const Table& table);

/// RFC 4180, with a heading of keys; numbers are unformatted, lists are separated by spaces.
std::string tableCsv(const Table& table);

/// An object for each row, with the keys of the columns; empty cells are omitted.
nlohmann::json tableJson(const Table& table);

/// The same, but empty cells of the columns with these keys are null.
nlohmann::json tableJson(const Table& table, std::initializer_list<const char*> nullable);

/// The description of the columns in the manual: a row for each key.
std::string tableManual(const Table& table);

}  // namespace aotscope
