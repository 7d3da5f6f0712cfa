#pragma once

#include <QTextDocument>

namespace aotscope {

/// Room around the text, and rules between the rows of tables.
void styleDocument(QTextDocument& document);
/// Makes pictures that are wider than `width` as wide, in proportion.
void fitPictures(QTextDocument& document, int width);

}  // namespace aotscope
