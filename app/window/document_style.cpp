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

/// Property of a picture's format: the file that it was scaled from.
constexpr int kFile = QTextFormat::UserProperty;

QString fileOf(const QTextImageFormat& format) {
    return format.hasProperty(kFile) ? format.stringProperty(kFile) : format.name();
}

/// QTextDocument leaves pixels out when it scales: lines and letters break. `shown` is in points.
QImage scaledPicture(const QString& file, QSize shown, double pixelRatio) {
    QImage picture = QImage(file).scaled(shown * pixelRatio, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    picture.setDevicePixelRatio(pixelRatio);
    return picture;
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

void fitPictures(QTextDocument& document, int width, double pixelRatio) {
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        for (auto part = block.begin(); !part.atEnd(); ++part) {
            QTextImageFormat format = part.fragment().charFormat().toImageFormat();
            if (!format.isValid()) continue;
            const QString file = fileOf(format);
            const QSize size = QImageReader(file).size();
            if (size.isEmpty() || width < 1) continue;
            const QSize shown = size.scaled(std::min(size.width(), width), size.height(), Qt::KeepAspectRatio);
            const QString name = QStringLiteral("fitted") + file;
            document.addResource(QTextDocument::ImageResource, QUrl(name), scaledPicture(file, shown, pixelRatio));
            format.setName(name);
            format.setProperty(kFile, file);
            format.setWidth(shown.width());
            format.setHeight(shown.height());
            QTextCursor cursor(block);
            cursor.setPosition(part.fragment().position());
            cursor.setPosition(part.fragment().position() + part.fragment().length(), QTextCursor::KeepAnchor);
            cursor.setCharFormat(format);
            break;  // the block's fragments are other ones now; pages have one picture in a paragraph
        }
}

}  // namespace aotscope
