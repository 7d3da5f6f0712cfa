#pragma once

#include <QTextDocument>

namespace aotscope {

/// Room around the text, and rules between the rows of tables.
void styleDocument(QTextDocument& document);
/// Scales pictures that are wider than `width` down to it, for a screen with `pixelRatio` pixels in a point.
void fitPictures(QTextDocument& document, int width, double pixelRatio);

}  // namespace aotscope
