#pragma once

#include <QTableView>

namespace aotscope {

/// Makes a table one of rows of one line, selected as a whole and without numbers; nothing in it is edited, and Tab
/// leaves it.
void showWholeRows(QTableView& view);

}  // namespace aotscope
