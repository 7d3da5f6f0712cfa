#include "window/help/document_style.h"

#include <QColor>
#include <QTextCursor>
#include <QTextTable>

namespace aotscope {

namespace {

/// A grey that is visible on light and on dark pages.
constexpr QColor kRule(128, 128, 128, 90), kRuleOfHeader(128, 128, 128, 220);

/// A rule below each row.
void ruleRows(QTextTable& table) {
    QTextTableFormat format = table.format();
    format.setBorder(0);
    format.setBorderCollapse(true);  // otherwise cells have no borders of their own
    format.setCellPadding(4);
    table.setFormat(format);
    for (int row = 0; row < table.rows(); ++row)
        for (int column = 0; column < table.columns(); ++column) {
            QTextTableCell cell = table.cellAt(row, column);
            QTextTableCellFormat ruled = cell.format().toTableCellFormat();
            ruled.setBottomBorder(1);
            ruled.setBottomBorderStyle(QTextFrameFormat::BorderStyle_Solid);
            ruled.setBottomBorderBrush(row == 0 ? kRuleOfHeader : kRule);
            cell.setFormat(ruled);
        }
}

}  // namespace

void styleDocument(QTextDocument& document) {
    document.setDocumentMargin(16);
    QTextCursor edit(&document);
    edit.beginEditBlock();
    for (QTextFrame* frame : document.rootFrame()->childFrames())
        if (auto* table = qobject_cast<QTextTable*>(frame)) ruleRows(*table);
    edit.endEditBlock();
}

}  // namespace aotscope
