#pragma once

#include <QTableView>

namespace aotscope {

/// Rows are as high as a line of text with `margins`, also after a change of the font.
void keepRowsHigh(QTableView& view, int margins);

/// Makes a table one of rows of one line, selected as a whole and without numbers; nothing in it is edited, and Tab
/// leaves it.
void showWholeRows(QTableView& view);

}  // namespace aotscope
