#pragma once

#include "record/table.h"

#include <string>
#include <vector>

namespace aotscope {

/// The built-in models.
Table samplesTable();

/// A command that prints a table, and the table, with or without rows.
struct DescribedTable {
    std::string command;
    Table table;
    std::string where = {};  ///< position of the rows; empty: in JSON under the key of the table
};
std::vector<DescribedTable> describedTables();

/// The page of the manual about them, in Markdown.
std::string tablesManual();

}  // namespace aotscope
