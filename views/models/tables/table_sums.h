#pragma once

#include "models/tables/table_content.h"

namespace aotscope {

/// Which rows of a table are shown and selected.
struct TableRows {
    std::vector<int> shown, selected;
};

/// "12 of 81 rows: bytes 4.20 MB, storage 1.10 MB; 3 selected: bytes 1.10 MB", with the columns whose sums mean
/// something. Empty if all rows are shown and at most one is selected.
QString sumsText(const TableContent& content, const TableRows& rows);

}  // namespace aotscope
