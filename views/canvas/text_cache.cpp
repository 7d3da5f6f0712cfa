#include "canvas/text_cache.h"

#include <QTextLayout>

namespace aotscope {

namespace {

constexpr qsizetype kMostTexts = 100'000;

}  // namespace

const TextCache::Entry& TextCache::find(const QString& text) {
    if (const auto known = entries_.constFind(text); known != entries_.constEnd()) return *known;
    if (entries_.size() >= kMostTexts) entries_.clear();
    QTextLayout layout(text, font_);
    layout.beginLayout();
    const QTextLine only = layout.createLine();
    layout.endLayout();
    return *entries_.insert(text, {layout.glyphRuns(), only.isValid() ? only.naturalTextWidth() : 0});
}

void TextCache::draw(QPainter& painter, const QRectF& line, const QString& text, Qt::Alignment side) {
    const Entry& entry = find(text);
    const double left = side & Qt::AlignLeft    ? line.left()
                        : side & Qt::AlignRight ? line.right() - entry.width
                                                : line.center().x() - entry.width / 2;
    for (const QGlyphRun& run : entry.runs) painter.drawGlyphRun({left, line.top()}, run);
}

}  // namespace aotscope
