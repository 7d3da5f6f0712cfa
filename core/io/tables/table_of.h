#pragma once

#include "record/table.h"

#include <string>
#include <utility>
#include <vector>

namespace aotscope {

/// A column, and how its cell is computed for an item.
template <typename Item>
struct ColumnOf {
    Table::Column column;
    Table::Cell (*cell)(const Item&);
};

/// A row for each item.
template <typename Item>
Table tableOf(std::string key, const std::vector<ColumnOf<Item>>& columns, const std::vector<Item>& items) {
    Table table{std::move(key), {}};
    for (const auto& each : columns) table.columns.push_back(each.column);
    for (const Item& item : items) {
        Table::Row& row = table.rows.emplace_back();
        for (const auto& each : columns) row.cells.push_back(each.cell(item));
    }
    return table;
}

}  // namespace aotscope
