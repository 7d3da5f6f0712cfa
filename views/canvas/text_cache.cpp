#include "canvas/text_cache.h"

#include <QTextLayout>

namespace aotscope {

namespace {

constexpr qsizetype kMostTexts = 100'000;

}  // namespace

void TextCache::draw(QPainter& painter, const QRectF& line, const QString& text) {
    auto known = entries_.constFind(text);
    if (known == entries_.constEnd()) {
        if (entries_.size() >= kMostTexts) entries_.clear();
        QTextLayout layout(text, font_);
        layout.beginLayout();
        const QTextLine only = layout.createLine();
        layout.endLayout();
        known = entries_.insert(text, {layout.glyphRuns(), only.isValid() ? only.naturalTextWidth() : 0});
    }
    const QPointF place(line.center().x() - known->width / 2, line.top());
    for (const QGlyphRun& run : known->runs) painter.drawGlyphRun(place, run);
}

}  // namespace aotscope
