#include "window/document_style.h"

#include <QImageReader>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextTable>
#include <algorithm>

namespace aotscope {

void styleDocument(QTextDocument& document, const QColor& lines) {
    document.setDocumentMargin(16);
    for (QTextFrame* frame : document.rootFrame()->childFrames())
        if (auto* table = qobject_cast<QTextTable*>(frame)) {
            QTextTableFormat format = table->format();
            format.setBorderCollapse(true);
            format.setBorderBrush(lines);
            format.setCellPadding(4);
            table->setFormat(format);
        }
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
