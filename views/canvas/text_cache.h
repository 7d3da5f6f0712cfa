#pragma once

#include <QFont>
#include <QGlyphRun>
#include <QHash>
#include <QPainter>

namespace aotscope {

/// Draws lines of text with cached glyphs: graphs have few different lines, and painting draws them all the time.
class TextCache {
public:
    explicit TextCache(const QFont& font) : font_(font) {}

    /// In the middle of `line` or at one of its ends, with the painter's pen.
    void draw(QPainter& painter, const QRectF& line, const QString& text, Qt::Alignment side = Qt::AlignHCenter);
    double width(const QString& text) { return find(text).width; }

private:
    struct Entry {
        QList<QGlyphRun> runs;
        double width = 0;
    };
    const Entry& find(const QString& text);

    QFont font_;
    QHash<QString, Entry> entries_;
};

}  // namespace aotscope
