#include "window/document_style.h"

#include <QColor>
#include <QImageReader>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextTable>
#include <algorithm>

namespace aotscope {

namespace {

/// Of a grey that is seen on light and on dark pages.
constexpr QColor kRule(128, 128, 128, 90), kRuleOfHeader(128, 128, 128, 220);

/// A rule below each row.
void ruleRows(QTextTable& table) {
    QTextTableFormat format = table.format();
    format.setBorder(0);
    format.setBorderCollapse(true);  // else cells have no borders of their own
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

void fitPictures(QTextDocument& document, int width) {
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        for (auto part = block.begin(); !part.atEnd(); ++part) {
            QTextImageFormat format = part.fragment().charFormat().toImageFormat();
            if (!format.isValid()) continue;
            const QSize size = QImageReader(format.name()).size();
            if (size.isEmpty()) continue;
            const int shown = std::min(size.width(), width);
            format.setWidth(shown);
            format.setHeight(static_cast<double>(size.height()) * shown / size.width());
            QTextCursor cursor(block);
            cursor.setPosition(part.fragment().position());
            cursor.setPosition(part.fragment().position() + part.fragment().length(), QTextCursor::KeepAnchor);
            cursor.setCharFormat(format);
            break;  // the block's fragments are other ones now; pages have one picture in a paragraph
        }
}

}  // namespace aotscope
