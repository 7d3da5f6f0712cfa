#pragma once

#include "record/table.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// The columns of these keys, in this order.
Table withColumns(const Table& table, const std::vector<std::string_view>& keys);

/// The cell as people read it: by the unit of its column, unless it brings a text. Empty: it holds nothing.
std::string cellText(const Table::Column& column, const Table::Cell& cell);

/// Aligned columns: those with a title that hold something in any row, or all with a title if there are no rows. A cell
/// without a value is "-". Then the summary.
std::string tableText(const Table& table);

/// As RFC 4180 has it, with a heading of keys; numbers as they are, lists with blanks between their names.
std::string tableCsv(const Table& table);

/// An object for each row, with the keys of the columns; what a row does not have is left out.
nlohmann::json tableJson(const Table& table);

/// The columns as the manual describes them: a row for each key.
std::string tableManual(const Table& table);

}  // namespace aotscope
