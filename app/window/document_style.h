#pragma once

#include <QColor>
#include <QTextDocument>

namespace aotscope {

/// Room around the text, and tables with thin lines.
void styleDocument(QTextDocument& document, const QColor& lines);
/// Makes pictures that are wider than `width` as wide, in proportion.
void fitPictures(QTextDocument& document, int width);

}  // namespace aotscope
